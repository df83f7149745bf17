import type { CSSProperties } from 'react';
import { camelotColour } from '../music/camelot.ts';
import { spellKey } from '../music/spelling.ts';

/** Sets the CSS variable `--key-colour` to the Camelot colour of a key. */
export function keyColourStyle(camelot: string): CSSProperties {
  return { '--key-colour': camelotColour(camelot) } as CSSProperties;
}

/** A key in its Camelot colour and usual spelling. */
export function KeyChip({ notation, camelot }: { notation: string | null; camelot: string | null }) {
  if (!notation || !camelot) return <span className="soft">–</span>;
  return (
    <span className="chip key-chip" style={keyColourStyle(camelot)}>
      {camelot} <span>{spellKey(notation)}</span>
    </span>
  );
}
