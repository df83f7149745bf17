import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

it('resizes a canvas once, also where a pixel of the page is not a whole number of device pixels', async () => {
  vi.stubGlobal('CSS', {});
  vi.stubGlobal('window', { devicePixelRatio: 1.25 });
  const { preparePen } = await import('./use-canvas.ts');
  const resizes: string[] = [];
  /** Like a browser's, it keeps whole pixels. */
  const canvas = {
    size: { width: 300, height: 150 },
    style: {},
    getContext: () => ({ setTransform: () => {}, clearRect: () => {} }),
    get width() {
      return this.size.width;
    },
    set width(px: number) {
      this.size.width = Math.trunc(px);
      resizes.push(`${this.size.width} px wide`);
    },
    get height() {
      return this.size.height;
    },
    set height(px: number) {
      this.size.height = Math.trunc(px);
      resizes.push(`${this.size.height} px high`);
    },
  };
  // Two frames of playback.
  for (let frame = 0; frame < 2; frame++)
    expect(preparePen(canvas as unknown as HTMLCanvasElement, 1_001, 110)).not.toBeNull();
  expect(resizes).toEqual(['1251 px wide', '138 px high']);
});
