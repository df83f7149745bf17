import type { CSSProperties } from 'react';
import { camelotColour } from '../music/camelot.ts';
import { spellKey } from '../music/spelling.ts';

/** For what is drawn in the colour of a key. */
export function keyColourStyle(camelot: string): CSSProperties {
  return { '--key-colour': camelotColour(camelot) } as CSSProperties;
}

/** A key in its Camelot colour, spelled as a musician writes it. */
export function KeyChip({ notation, camelot }: { notation: string | null; camelot: string | null }) {
  if (!notation || !camelot) return <span className="soft">–</span>;
  return (
    <span className="chip key-chip" style={keyColourStyle(camelot)}>
      {camelot} <span>{spellKey(notation)}</span>
    </span>
  );
}
