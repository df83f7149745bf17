import type { Norms } from '../tags/tag-norms.ts';

/**
 * Mean and spread (standard deviation) of every feature of the embedding, in the units and the order of `collectFeatures` (embedding.ts).
 * Measured on 187 excerpts of 45 to 60 s from seven collections of equal weight: the dev and real corpora and the music of five Debian
 * packages. The program was not kept, so a feature that changes has to be measured again.
 */
export const EMBEDDING_NORMS = {
  shape: {
    mean: [11.38, 0.4058, 2.416, 0.5503, 0.8496, 0.1506, 0.4688, -0.06688, 0.2391, -0.09879, 0.1642, -0.1069],
    spread: [5.274, 2.078, 1.531, 1.117, 0.8985, 0.7288, 0.6302, 0.7236, 0.5141, 0.5183, 0.4777, 0.4401],
  },
  movement: {
    mean: [7.326, 3.164, 2.124, 1.532, 1.243, 1.086, 0.993, 0.9922, 0.9786, 0.956, 0.9612, 0.9821, 0.9385],
    spread: [
      3.365, 1.285, 0.8442, 0.5477, 0.4313, 0.3543, 0.3008, 0.326, 0.3471, 0.3354, 0.3393, 0.3832, 0.361,
    ],
  },
  contrast: {
    mean: [21.13, 21.14, 21.04, 19.8, 17.82, 14.41],
    spread: [5.563, 5.648, 5.306, 6.371, 7.158, 6.813],
  },
  balance: {
    mean: [-3.225, -1.187, -0.4256, -0.583, -3.667, -4.976, -3.93],
    spread: [11.39, 2.877, 2.69, 4.136, 6.096, 8.419, 11.58],
  },
  harmony: {
    mean: [0.1268, 0.1713, 0.1402, 0.07272, 0.1993, 0.04004],
    spread: [0.08233, 0.1036, 0.07481, 0.0523, 0.1133, 0.03364],
  },
  rhythm: { mean: [0.05596, -0.00721, 0.8956, 3.479], spread: [0.7053, 0.7067, 0.1597, 1.463] },
  dynamics: { mean: [13.29, 3.937], spread: [2.41, 3.116] },
} satisfies Record<string, Norms>;
