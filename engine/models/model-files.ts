/** File names of the shipped weights. */
export const MODEL_FILES = {
  beats: 'beats-v3.bin',
  chords: 'chords-v2.bin',
  tagsMsd: 'tags-msd-v1.bin',
  tagsJamendo: 'tags-jamendo-v1.bin',
  voice: 'voice-v3.bin',
};
