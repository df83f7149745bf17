/** Writes a song as a MIDI file of one track, played as people play: not quite in time, not quite evenly. */
import { writeFileSync } from 'node:fs';

export const TICKS_PER_BEAT = 480;
/** In a melody: the note before goes on. Where nothing sounds there is null. */
export const HOLD = 'hold';

export class Song {
  #events = [];
  #chance = 1;

  constructor(tempoBpm) {
    this.tempoBpm = tempoBpm;
  }

  /** `channel` 9 is the drum kit and has no program; programs are General MIDI's, counted from nought. */
  addPart({ channel, program, pan, volume }) {
    if (program !== undefined) this.#events.push({ tick: 0, bytes: [0xc0 | channel, program] });
    this.#events.push({ tick: 0, bytes: [0xb0 | channel, 7, volume] });
    this.#events.push({ tick: 0, bytes: [0xb0 | channel, 10, pan] });
  }

  /** Up to 6 ms late and up to six steps softer, the same on every machine. */
  play(part, tick, lengthTicks, note, velocity) {
    this.#chance = (Math.imul(this.#chance, 1_664_525) + 1_013_904_223) >>> 0;
    const lateTicks = Math.round((this.#chance / 2 ** 32) * 5);
    const softer = Math.round(((this.#chance >>> 8) / 2 ** 24) * 6);
    const startTick = Math.round(tick) + lateTicks;
    this.#events.push({ tick: startTick, bytes: [0x90 | part.channel, note, velocity - softer] });
    this.#events.push({ tick: startTick + Math.round(lengthTicks), bytes: [0x80 | part.channel, note, 0] });
  }

  /** A melody in steps of one length: MIDI notes, HOLD and null. Of each player's notes a `share` of their steps sounds. */
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
    const track = [0, 0xff, 0x51, 3, ...tempo];
    let nowTick = 0;
    // A note that ends where the next begins must be off before it is on again.
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
