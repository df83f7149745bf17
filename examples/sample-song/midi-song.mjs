/** Writes a song as a MIDI file with one track, with small random deviations in timing and velocity as of human players. */
import { writeFileSync } from 'node:fs';

export const TICKS_PER_BEAT = 480;
/** In a melody: the previous note continues. A rest is null. */
export const HOLD = 'hold';

export class Song {
  /** At tick 0, before every note. */
  #setup = [];
  #events = [];
  #randomState = 1;

  constructor(tempoBpm) {
    this.tempoBpm = tempoBpm;
  }

  /**
   * `channel` 9 is the drum kit and has no program; programs are General MIDI's, counted from 0. `pan` and `volume` are the values of
   * MIDI controllers, 0..127.
   */
  addPart({ channel, program, pan, volume }) {
    if (program !== undefined) this.#setup.push([0xc0 | channel, program]);
    this.#setup.push([0xb0 | channel, 7, volume], [0xb0 | channel, 10, pan]);
  }

  /**
   * `note` is a MIDI pitch. Up to 5 ticks late and up to six velocity steps softer; pseudorandom (constants of Numerical Recipes), so the
   * same everywhere.
   */
  play(part, tick, lengthTicks, note, velocity) {
    this.#randomState = (Math.imul(this.#randomState, 1_664_525) + 1_013_904_223) >>> 0;
    const lateTicks = Math.round((this.#randomState / 2 ** 32) * 5);
    const softer = Math.round(((this.#randomState >>> 8) / 2 ** 24) * 6);
    const startTick = Math.round(tick) + lateTicks;
    this.#events.push({ tick: startTick, bytes: [0x90 | part.channel, note, velocity - softer] });
    this.#events.push({ tick: startTick + Math.round(lengthTicks), bytes: [0x80 | part.channel, note, 0] });
  }

  /** A melody in equal steps: MIDI notes, HOLD and null. `share` is the fraction of its length that a player holds each note. */
  playMelody(players, startTick, stepTicks, melody) {
    melody.forEach((note, step) => {
      if (note === null || note === HOLD) return;
      let steps = 1;
      while (melody[step + steps] === HOLD) steps++;
      for (const { part, share, velocity } of players)
        this.play(part, startTick + step * stepTicks, steps * stepTicks * share, note, velocity);
    });
  }

  write(path) {
    const microsecondsPerBeat = Math.round(60e6 / this.tempoBpm);
    const tempo = [microsecondsPerBeat >> 16, (microsecondsPerBeat >> 8) & 255, microsecondsPerBeat & 255];
    const track = [0, 0xff, 0x51, 3, ...tempo, ...this.#setup.flatMap((bytes) => [0, ...bytes])];
    let nowTick = 0;
    // At the same tick, note-off (0x80) precedes note-on (0x90), so that a repeated note sounds.
    for (const { tick, bytes } of this.#events.toSorted(
      (a, b) => a.tick - b.tick || a.bytes[0] - b.bytes[0],
    )) {
      track.push(...variableLength(tick - nowTick), ...bytes);
      nowTick = tick;
    }
    track.push(...variableLength(TICKS_PER_BEAT), 0xff, 0x2f, 0);
    const header = Buffer.alloc(22);
    header.write('MThd', 0);
    header.writeUInt32BE(6, 4);
    header.writeUInt16BE(0, 8);
    header.writeUInt16BE(1, 10);
    header.writeUInt16BE(TICKS_PER_BEAT, 12);
    header.write('MTrk', 14);
    header.writeUInt32BE(track.length, 18);
    writeFileSync(path, Buffer.concat([header, Buffer.from(track)]));
  }
}

function variableLength(value) {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}
