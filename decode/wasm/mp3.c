/*
 * What codecs/mp3.ts calls: whole layer III packets in, one array of samples per channel out. A packet that cannot be decoded
 * becomes silence where it lies, so that every packet has its place in time; how many there were is the answer.
 */
#include <stddef.h>
#include <stdint.h>

/* What dr_mp3 expects of its surroundings. */
typedef uint8_t ma_uint8;
typedef uint16_t ma_uint16;
typedef uint32_t ma_uint32;
typedef uint64_t ma_uint64;
typedef int16_t ma_int16;
typedef int32_t ma_int32;
#define MA_API static
#define MA_DR_MP3_FLOAT_OUTPUT
#define MA_DR_MP3_ONLY_MP3
#define MA_DR_MP3_ONLY_SIMD
#define MA_DR_MP3_ASSERT(condition)
#define MA_DR_MP3_COPY_MEMORY __builtin_memcpy
#define MA_DR_MP3_MOVE_MEMORY __builtin_memmove
#define MA_DR_MP3_ZERO_MEMORY(pointer, bytes) __builtin_memset((pointer), 0, (bytes))
#include "dr_mp3.h"

/* 14 packets of MPEG-1 fill one block of 16,384 samples, the most that a message to the parent holds. */
#define PACKETS_MAX 14
/* 320 kbit/s at 32 kHz, or 160 at 8 kHz, and a byte of padding. */
#define PACKET_BYTES_MAX 1441
#define PACKET_SAMPLES_MAX 1152
/* dr_mp3 fetches bits by the word and may look at a few bytes beyond a packet. */
#define MARGIN_BYTES 64

static ma_dr_mp3dec decoder;
static uint8_t packets[PACKETS_MAX * PACKET_BYTES_MAX + MARGIN_BYTES];
static float samples[2][PACKETS_MAX * PACKET_SAMPLES_MAX];
static float interleaved[2 * PACKET_SAMPLES_MAX];

__attribute__((export_name("packetsAt"))) uint8_t *packetsAt(void) { return packets; }
__attribute__((export_name("samplesAt"))) float *samplesAt(int channel) { return samples[channel]; }

/* Bytes of packets that have gone by: what later ones may point back into. */
static int passedBytes;

/*
 * A packet may begin up to 511 bytes before its header, inside packets that went before. Where a stream was cut out of a longer one,
 * they are missing and its first packets stay silent; that is no damage.
 */
static int beginsBeforeStream(const uint8_t *packet)
{
    const uint8_t *sideInfo = packet + MA_DR_MP3_HDR_SIZE + (MA_DR_MP3_HDR_IS_CRC(packet) ? 2 : 0);
    const int backBytes = MA_DR_MP3_HDR_TEST_MPEG1(packet) ? sideInfo[0] << 1 | sideInfo[1] >> 7 : sideInfo[0];
    return backBytes > passedBytes;
}

/*
 * dr_mp3 forgets everything when the side information of a packet cannot be. What follows it there is whole more often than not, and
 * the next packets begin inside it, so it is kept for them.
 */
static void keepForNext(const uint8_t *packet, int bytes)
{
    const int isMono = MA_DR_MP3_HDR_IS_MONO(packet);
    const int sideBytes = MA_DR_MP3_HDR_TEST_MPEG1(packet) ? (isMono ? 17 : 32) : (isMono ? 9 : 17);
    const int at = MA_DR_MP3_HDR_SIZE + (MA_DR_MP3_HDR_IS_CRC(packet) ? 2 : 0) + sideBytes;
    const int added = MA_DR_MP3_MIN(MA_DR_MP3_MAX(0, bytes - at), MA_DR_MP3_MAX_BITRESERVOIR_BYTES);
    const int kept = MA_DR_MP3_MIN(decoder.reserv, MA_DR_MP3_MAX_BITRESERVOIR_BYTES - added);
    __builtin_memmove(decoder.reserv_buf, decoder.reserv_buf + decoder.reserv - kept, kept);
    __builtin_memcpy(decoder.reserv_buf + kept, packet + bytes - added, added);
    decoder.reserv = kept + added;
    __builtin_memcpy(decoder.header, packet, MA_DR_MP3_HDR_SIZE);
}

/* What cannot be sound becomes silence: see child/sample-output.ts, which does the same for other codecs. */
#define PLAUSIBLE_MAX 8.0f
/* Set in every float of magnitude 2 and more, in infinity and NaN, and in nothing below. */
#define TWO_OR_MORE_BIT 0x40000000
static int silenced;

__attribute__((export_name("silencedSamples"))) int silencedSamples(void) { return silenced; }

static void silenceImplausible(float *channel, int count)
{
    for (int i = 0; i < count; i++)
    {
        if (channel[i] >= -PLAUSIBLE_MAX && channel[i] <= PLAUSIBLE_MAX) continue;
        channel[i] = 0;
        silenced++;
    }
}

/* One packet as the stream has it: a stream may change between mono and stereo, the number of its channels does not. */
static void place(int count, int from, int channels, int streamChannels)
{
    float *left = samples[0] + from, *right = samples[1] + from;
    v128_t anyBits = wasm_i32x4_splat(0);
    for (int i = 0; i < count; i += 4)
    {
        v128_t l, r;
        if (channels == 1)
        {
            l = r = wasm_v128_load(interleaved + i);
        }
        else
        {
            const v128_t first = wasm_v128_load(interleaved + 2 * i), second = wasm_v128_load(interleaved + 2 * i + 4);
            l = wasm_i32x4_shuffle(first, second, 0, 2, 4, 6);
            r = wasm_i32x4_shuffle(first, second, 1, 3, 5, 7);
            if (streamChannels == 1) l = r = wasm_f32x4_mul(wasm_f32x4_add(l, r), wasm_f32x4_splat(0.5f));
        }
        wasm_v128_store(left + i, l);
        wasm_v128_store(right + i, r);
        anyBits = wasm_v128_or(anyBits, wasm_v128_or(l, r));
    }
    if (!wasm_v128_any_true(wasm_v128_and(anyBits, wasm_i32x4_splat(TWO_OR_MORE_BIT)))) return;
    for (int channel = 0; channel < streamChannels; channel++) silenceImplausible(samples[channel] + from, count);
}

/* The caller has checked the headers: layer III, no free format, of one sample rate. */
__attribute__((export_name("decode"))) int decode(int packetCount, int packetSamples, int streamChannels)
{
    int damaged = 0;
    const uint8_t *packet = packets;
    for (int i = 0; i < packetCount; i++)
    {
        const int bytes = ma_dr_mp3_hdr_frame_bytes(packet, 0) + ma_dr_mp3_hdr_padding(packet);
        ma_dr_mp3dec_frame_info info;
        const int count = ma_dr_mp3dec_decode_frame(&decoder, packet, bytes, interleaved, &info);
        if (count == packetSamples)
        {
            place(count, i * packetSamples, info.channels, streamChannels);
        }
        else
        {
            damaged += !beginsBeforeStream(packet);
            if (decoder.header[0] == 0) keepForNext(packet, bytes);
            __builtin_memset(samples[0] + i * packetSamples, 0, packetSamples * sizeof(float));
            __builtin_memset(samples[1] + i * packetSamples, 0, packetSamples * sizeof(float));
        }
        packet += bytes;
        if (passedBytes <= MA_DR_MP3_MAX_BITRESERVOIR_BYTES) passedBytes += bytes;
    }
    return damaged;
}
