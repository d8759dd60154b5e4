import { describe, expect, it } from 'vitest'
import { planOf, renderedSize, renditionsOf, segmentsOf, type FilmPlan } from './film-plan.ts'

const H264 = { codec_type: 'video', codec_name: 'h264', pix_fmt: 'yuv420p', width: 1920, height: 1080 }
const AAC = { codec_type: 'audio', codec_name: 'aac' }

function plan(streams: readonly object[], format: object = { duration: '60.5', bit_rate: '5000000' }) {
  return planOf(JSON.stringify({ streams, format }))
}

describe('a film', () => {
  it.each([
    ['H.264 and AAC', true, [H264, AAC]],
    [
      'VP9 and Opus',
      true,
      [
        { ...H264, codec_name: 'vp9' },
        { ...AAC, codec_name: 'opus' },
      ],
    ],
    ['HEVC', false, [{ ...H264, codec_name: 'hevc' }, AAC]],
    ['H.264 of studios', false, [{ ...H264, pix_fmt: 'yuv422p10le' }, AAC]],
    ['sound of discs', false, [H264, { ...AAC, codec_name: 'ac3' }]],
    ['sound alone', true, [AAC]],
    ['sound alone that no browser knows', false, [{ ...AAC, codec_name: 'alac' }]],
    ['sound with a cover', true, [AAC, { ...H264, codec_name: 'png', disposition: { attached_pic: 1 } }]],
  ])('of %s: browsers play it: %s', (_name, isDirect, streams) => {
    expect(plan(streams)?.isDirect).toBe(isDirect)
  })
  it('of too high a rate is made smaller first', () => {
    expect(plan([H264], { duration: '60', bit_rate: '24000000' })?.isDirect).toBe(true)
    expect(plan([H264], { duration: '60', bit_rate: '24000001' })?.isDirect).toBe(false)
  })
  it.each([
    ['no stream', [], undefined],
    ['no length', [H264], {}],
    ['a length that is no number', [H264], { duration: 'N/A' }],
    ['an endless length', [H264], { duration: '43201' }],
    ['frames larger than memory', [{ ...H264, width: 60_000, height: 60_000 }], undefined],
    ['frames of nothing', [{ ...H264, width: 0 }], undefined],
  ])('with %s is not played', (_name, streams, format) => expect(plan(streams, format)).toBeUndefined())
  it('is as long as its picture, and seen upright with square pixels', () => {
    const sides = [{ rotation: -90 }]
    const turned = plan([{ ...H264, duration: '59', side_data_list: sides, avg_frame_rate: '120/1' }])
    expect(turned).toMatchObject({ seconds: 59, picture: { width: 1080, height: 1920, isFast: true } })
    const wide = plan([{ ...H264, width: 720, height: 576, sample_aspect_ratio: '64:45' }])
    expect(wide).toMatchObject({ seconds: 60.5, picture: { width: 1024, height: 576, isFast: false } })
  })
})

/** As the probe writes what most browsers decode. */
const PLAIN = { ...H264, profile: 'High', level: 40, field_order: 'progressive', has_b_frames: 2 }
const STEREO = { ...AAC, profile: 'LC', channels: 2 }

describe('the stream of a film', () => {
  it('stays as it is where browsers decode it', () => {
    const format = { duration: '60', bit_rate: '5000000', start_time: '1.4' }
    const copy = { codec: 'avc1.640028', isSoundCopied: true, isInOrder: false, begins: 1.4 }
    expect(plan([PLAIN, STEREO], format)?.copy).toEqual(copy)
    expect(plan([{ ...PLAIN, profile: 'Constrained Baseline', level: 10, has_b_frames: 0 }])?.copy).toEqual({
      ...{ codec: 'avc1.42e00a', isSoundCopied: false, isInOrder: true, begins: 0 },
    })
  })
  it.each([
    ['AC-3', { codec_name: 'ac3' }],
    ['AAC of another profile', { profile: 'HE-AAC' }],
    ['six channels', { channels: 6 }],
  ])('stays, and the sound is encoded: %s', (_name, change) => {
    expect(plan([PLAIN, { ...STEREO, ...change }])?.copy).toMatchObject({ isSoundCopied: false })
  })
  it.each([
    ['another codec', { codec_name: 'hevc' }],
    ['ten bits', { pix_fmt: 'yuv420p10le' }],
    ['a profile of studios', { profile: 'High 4:2:2' }],
    ['too high a level', { level: 60 }],
    ['no known level', { level: -99 }],
    ['interlaced', { field_order: 'tt' }],
    ['of unknown order', { field_order: 'unknown' }],
    ['pixels that are not square', { sample_aspect_ratio: '64:45' }],
    ['turned', { side_data_list: [{ rotation: 90 }] }],
    ['upside down', { side_data_list: [{ rotation: 180 }] }],
    ['fast', { avg_frame_rate: '120/1' }],
  ])('is encoded: %s', (_name, change) => expect(plan([{ ...PLAIN, ...change }])?.copy).toBeUndefined())
  it('is encoded where its rate is too high', () => {
    expect(plan([PLAIN], { duration: '60', bit_rate: '24000001' })?.copy).toBeUndefined()
  })
})

describe('the sizes of a film', () => {
  it.each([
    [{ width: 3840, height: 2160 }, [1280, 720], [1920, 1080]],
    [{ width: 1080, height: 1920 }, [720, 1280], [1080, 1920]],
    [{ width: 2048, height: 858 }, [1280, 536], [1920, 804]],
    [{ width: 641, height: 359 }, [642, 360], undefined],
    [{ width: 4, height: 2 }, [16, 16], undefined],
  ])('of %o', (size, low, high) => {
    const film: FilmPlan = { isDirect: false, seconds: 1, hasSound: true, picture: { ...size, isFast: false } }
    const made = renditionsOf(film).map((rendition) => {
      const { width, height } = renderedSize(size, rendition)
      return [width, height]
    })
    expect(made).toEqual(high === undefined ? [low] : [low, high])
  })
})

describe('the segments of a film', () => {
  it.each([
    [12, [4, 4, 4]],
    [10.5, [4, 4, 2.5]],
    // A piece that short may have no frame.
    [8.2, [4, 4.2]],
    [0.1, [0.1]],
  ])('of %d s', (seconds, expected) => {
    expect(segmentsOf(seconds).map((length) => Math.round(length * 10) / 10)).toEqual(expected)
  })
})
