/** Standard MIDI Files 1.0, format 1: a header chunk, then one chunk of delta-timed events per track. */

export type MidiEvent = {
  tick: number;
  event:
    | { kind: 'name' | 'marker' | 'text'; text: string }
    /** The position of the first tick in the recording. */
    | { kind: 'offset'; seconds: number }
    | { kind: 'tempo'; microsecondsPerBeat: number }
    | { kind: 'meter'; beatsPerBar: number }
    /** Flats are negative sharps. */
    | { kind: 'key'; sharps: number; minor: boolean }
    /** Velocity 0 ends the note. */
    | { kind: 'note'; channel: number; pitchMidi: number; velocity: number };
};

export function writeMidiFile(file: { ticksPerBeat: number; tracks: readonly MidiEvent[][] }): Uint8Array {
  const header = Buffer.alloc(6);
  header.writeUInt16BE(1, 0);
  header.writeUInt16BE(file.tracks.length, 2);
  header.writeUInt16BE(file.ticksPerBeat, 4);
  return Buffer.concat([
    chunk('MThd', header),
    ...file.tracks.map((events) => chunk('MTrk', trackBytes(events))),
  ]);
}

function chunk(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, body]);
}

function trackBytes(events: readonly MidiEvent[]): Buffer {
  const parts: Buffer[] = [];
  let tick = 0;
  // The sort is stable, so events of one tick keep their order.
  for (const { tick: at, event } of events.toSorted((a, b) => a.tick - b.tick)) {
    parts.push(variableLength(at - tick), eventBytes(event));
    tick = at;
  }
  parts.push(Buffer.from([0x00, 0xff, 0x2f, 0x00]));
  return Buffer.concat(parts);
}

function eventBytes(event: MidiEvent['event']): Buffer {
  switch (event.kind) {
    case 'name':
      return meta(0x03, Buffer.from(event.text, 'utf8'));
    case 'text':
      return meta(0x01, Buffer.from(event.text, 'utf8'));
    case 'offset':
      return meta(0x54, smpte(event.seconds));
    case 'marker':
      return meta(0x06, Buffer.from(event.text, 'utf8'));
    case 'tempo': {
      const body = Buffer.alloc(3);
      body.writeUIntBE(event.microsecondsPerBeat, 0, 3);
      return meta(0x51, body);
    }
    case 'meter':
      // Over quarters (2^2), 24 MIDI clocks per click, 8 thirty-seconds per quarter.
      return meta(0x58, Buffer.from([event.beatsPerBar, 2, 24, 8]));
    case 'key':
      return meta(0x59, Buffer.from([event.sharps & 0xff, event.minor ? 1 : 0]));
    case 'note':
      return Buffer.from([0x90 | event.channel, event.pitchMidi, event.velocity]);
  }
}

/** The finest of the frame rates in MIDI's SMPTE offset. */
const FRAMES_PER_SECOND = 30;
/** Bits 5 and 6 of the hour: thirty frames per second, non-drop. */
const THIRTY_FRAMES = 3 << 5;

/** Hours, minutes, seconds, frames, and hundredths of a frame, which are a third of a millisecond. */
function smpte(seconds: number): Buffer {
  const frameHundredths = Math.round(seconds * FRAMES_PER_SECOND * 100);
  const frames = Math.floor(frameHundredths / 100);
  const wholeSeconds = Math.floor(frames / FRAMES_PER_SECOND);
  return Buffer.from([
    THIRTY_FRAMES | (Math.floor(wholeSeconds / 3600) % 24),
    Math.floor(wholeSeconds / 60) % 60,
    wholeSeconds % 60,
    frames % FRAMES_PER_SECOND,
    frameHundredths % 100,
  ]);
}

function meta(type: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xff, type]), variableLength(body.length), body]);
}

/** Seven bits per byte, most significant first, with the top bit set in all bytes but the last. */
function variableLength(value: number): Buffer {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return Buffer.from(bytes);
}
