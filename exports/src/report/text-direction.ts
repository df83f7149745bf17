/**
 * The visual order of a line that contains right-to-left text: the Unicode Bidirectional Algorithm (UAX #9), without its invisible
 * formatting characters.
 */

/** Left to right, right to left, a number, or a character that takes the direction of its surroundings. */
type Direction = 'L' | 'R' | 'number' | 'neutral';

const RIGHT_TO_LEFT = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u;
const MIRRORED: Record<string, string> = {
  ...{ '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{' },
  ...{ '<': '>', '>': '<', '«': '»', '»': '«', '‹': '›', '›': '‹' },
};
const OPENING = ['(', '[', '{'];

export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/**
 * The pieces of a line in visual order, from left to right. Each has one direction, and is meant for a font that lays it out in the
 * direction of its script.
 */
export function orderLine(line: string): string[] {
  const characters = [...line];
  const directions = directionsOf(characters);
  const base = directions.find((direction) => direction === 'L' || direction === 'R') ?? 'L';
  resolveNumbers(characters, directions, base);
  resolveBrackets(characters, directions, base);
  resolveNeutrals(directions, base);
  const levels = directions.map((direction) => (direction === 'R' ? 1 : direction === base ? 0 : 2));
  const pieces: { text: string; level: number }[] = [];
  characters.forEach((character, index) => {
    const last = pieces.at(-1);
    if (last?.level === levels[index]) last!.text += character;
    else pieces.push({ text: character, level: levels[index]! });
  });
  return reverseFrom(1, reverseFrom(2, pieces)).map(({ text, level }) => pieceForFont(text, level === 1));
}

/** Rule W1: a mark takes the direction of its letter. */
function directionsOf(characters: readonly string[]): Direction[] {
  const directions: Direction[] = [];
  for (const character of characters) {
    if (/\p{M}/u.test(character)) directions.push(directions.at(-1) ?? 'neutral');
    else if (/\p{Nd}/u.test(character)) directions.push('number');
    else if (/\p{L}/u.test(character)) directions.push(RIGHT_TO_LEFT.test(character) ? 'R' : 'L');
    else directions.push('neutral');
  }
  return directions;
}

/** Rules W4 to W7: "3.5" and "100%" are one number, and a number after left-to-right letters takes their direction. */
function resolveNumbers(characters: readonly string[], directions: Direction[], base: Direction): void {
  directions.forEach((direction, index) => {
    if (direction !== 'neutral') return;
    const [before, after] = [directions[index - 1], directions[index + 1]];
    if (/[.,:/+-]/.test(characters[index]!) && before === 'number' && after === 'number')
      directions[index] = 'number';
    if (/[%$€£#°]/.test(characters[index]!) && (before === 'number' || after === 'number'))
      directions[index] = 'number';
  });
  let strong = base;
  directions.forEach((direction, index) => {
    if (direction === 'L' || direction === 'R') strong = direction;
    else if (direction === 'number' && strong === 'L') directions[index] = 'L';
  });
}

/** Rule N0: both brackets of a pair take one direction, that of the line if anything inside them has it. */
function resolveBrackets(characters: readonly string[], directions: Direction[], base: Direction): void {
  const open: number[] = [];
  characters.forEach((character, end) => {
    if (OPENING.includes(character)) open.push(end);
    const start = open.findLastIndex((index) => MIRRORED[characters[index]!] === character);
    if (OPENING.includes(character) || start < 0) return;
    const at = open[start]!;
    open.length = start;
    const inside = strongOf(directions.slice(at + 1, end));
    if (inside.length === 0) return;
    const before = strongOf(directions.slice(0, at)).at(-1) ?? base;
    const pair = inside.includes(base) ? base : before === base ? base : inside[0]!;
    directions[at] = pair;
    directions[end] = pair;
  });
}

/** For brackets and neutrals a number counts as right-to-left. */
function strongOf(directions: readonly Direction[]): Direction[] {
  return directions.filter((direction) => direction !== 'neutral').map(asStrong);
}

const asStrong = (direction: Direction) => (direction === 'number' ? 'R' : direction);

/** Rules N1 and N2: neutrals between letters of one direction take it, others that of the line. */
function resolveNeutrals(directions: Direction[], base: Direction): void {
  let start = 0;
  while (start < directions.length) {
    let end = start;
    while (directions[end] === 'neutral') end++;
    if (end > start) {
      const [before, after] = [directions[start - 1] ?? base, directions[end] ?? base].map(asStrong);
      directions.fill(before === after ? before! : base, start, end);
    }
    start = Math.max(end, start + 1);
  }
}

/** Rule L2: runs of this level or deeper are reversed. */
function reverseFrom<Piece extends { level: number }>(level: number, pieces: readonly Piece[]): Piece[] {
  const ordered: Piece[] = [];
  let turned: Piece[] = [];
  for (const piece of pieces) {
    if (piece.level >= level) turned.unshift(piece);
    else {
      ordered.push(...turned, piece);
      turned = [];
    }
  }
  return [...ordered, ...turned];
}

/** A font goes by the first character that has a script, so it would lay out a piece of signs or Persian digits the wrong way round. */
function pieceForFont(text: string, isRightToLeft: boolean): string {
  const characters = [...text].map((character) =>
    isRightToLeft ? (MIRRORED[character] ?? character) : character,
  );
  const [scripted = ''] = /[^\p{sc=Zyyy}\p{sc=Zinh}]/u.exec(text) ?? [];
  const fontTurns = RIGHT_TO_LEFT.test(scripted);
  return (fontTurns === isRightToLeft ? characters : characters.reverse()).join('');
}
