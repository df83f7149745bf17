import { asciiOf, viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';

const ID3V1_BYTES = 128;
/** Of an APEv2 tag's header, and of its footer. */
const APE_FOOTER_BYTES = 32;
const HAS_APE_HEADER = 0x8000_0000;

/** The end of the audio, before the tags at the end of the file: an APEv2 tag, an ID3v1 tag, or both in this order. */
export function findAudioEnd(source: ByteSource): number {
  let end = source.byteSize;
  if (asciiOf(source.view(end - ID3V1_BYTES, 3)) === 'TAG') end -= ID3V1_BYTES;
  const footer = source.view(end - APE_FOOTER_BYTES, APE_FOOTER_BYTES);
  if (asciiOf(footer.subarray(0, 8)) === 'APETAGEX') {
    const view = viewOf(footer);
    const headerBytes = view.getUint32(20, true) & HAS_APE_HEADER ? APE_FOOTER_BYTES : 0;
    const tagBytes = view.getUint32(12, true) + headerBytes;
    if (tagBytes < end) end -= tagBytes;
  }
  return end;
}
