/**
 * Mean and spread (standard deviation) of every feature of the embedding, in the units and the order of `collectFeatures` (embedding.ts). Measured on
 * 187 excerpts of 45 to 60 s from seven collections of equal weight: the dev and real corpora and the music of five Debian packages. The program was
 * not kept, so a feature that changes has to be measured again.
 */
export const EMBEDDING_NORMS = {
  shape: [
    [11.38, 5.274],
    [0.4058, 2.078],
    [2.416, 1.531],
    [0.5503, 1.117],
    [0.8496, 0.8985],
    [0.1506, 0.7288],
    [0.4688, 0.6302],
    [-0.06688, 0.7236],
    [0.2391, 0.5141],
    [-0.09879, 0.5183],
    [0.1642, 0.4777],
    [-0.1069, 0.4401],
  ],
  movement: [
    [7.326, 3.365],
    [3.164, 1.285],
    [2.124, 0.8442],
    [1.532, 0.5477],
    [1.243, 0.4313],
    [1.086, 0.3543],
    [0.993, 0.3008],
    [0.9922, 0.326],
    [0.9786, 0.3471],
    [0.956, 0.3354],
    [0.9612, 0.3393],
    [0.9821, 0.3832],
    [0.9385, 0.361],
  ],
  contrast: [
    [21.13, 5.563],
    [21.14, 5.648],
    [21.04, 5.306],
    [19.8, 6.371],
    [17.82, 7.158],
    [14.41, 6.813],
  ],
  balance: [
    [-3.225, 11.39],
    [-1.187, 2.877],
    [-0.4256, 2.69],
    [-0.583, 4.136],
    [-3.667, 6.096],
    [-4.976, 8.419],
    [-3.93, 11.58],
  ],
  harmony: [
    [0.1268, 0.08233],
    [0.1713, 0.1036],
    [0.1402, 0.07481],
    [0.07272, 0.0523],
    [0.1993, 0.1133],
    [0.04004, 0.03364],
  ],
  rhythm: [
    [0.05596, 0.7053],
    [-0.00721, 0.7067],
    [0.8956, 0.1597],
    [3.479, 1.463],
  ],
  dynamics: [
    [13.29, 2.41],
    [3.937, 3.116],
  ],
} satisfies Record<string, [mean: number, spread: number][]>;
