import { camelotColour } from '../camelot.ts';
import { spellKey } from '../music/spelling.ts';

/** A key in its Camelot colour, spelled as a musician writes it. */
export function KeyChip({ notation, camelot }: { notation: string | null; camelot: string | null }) {
  if (!notation || !camelot) return <span className="soft">–</span>;
  return (
    <span className="chip key-chip" style={{ '--key-colour': camelotColour(camelot) } as React.CSSProperties}>
      {camelot} <span>{spellKey(notation)}</span>
    </span>
  );
}
