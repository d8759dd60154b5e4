import { loadPortalTexts, loadTextBundle } from '@godwit/i18n/portal'
import { expect, it } from 'vitest'
import { createTexts } from './texts.tsx'
import { limitText } from './transfer-limit.ts'

async function textsIn(locale: 'en-US' | 'zh-CN') {
  const parts = await Promise.all([loadPortalTexts(locale), loadTextBundle(locale, 'transfers')])
  return createTexts(locale, Object.assign({}, ...parts), undefined, () => {})
}

it('names the bottleneck while bytes flow', async () => {
  const texts = await textsIn('en-US')
  expect(limitText({ state: 'running', bottleneck: 'loss' }, texts)).toBe('Limited by packet loss')
  expect(limitText({ state: 'paused', bottleneck: 'loss' }, texts)).toBeUndefined()
  expect(limitText({ state: 'running', bottleneck: 'nothing to send' }, texts)).toBeUndefined()
})

it.each([
  ['loss', { percent: 1.8, rttMs: 45 }, 'Limited by packet loss (1.8% of packets, round trip 45 ms)'],
  ['line', { mbps: 95, rttMs: 80 }, 'As fast as the line (95 Mbit/s, round trip 80 ms)'],
  ['line', {}, 'As fast as the line'],
  ['receiver disk', { percent: 95 }, 'Limited by the disk of the receiver (95% busy)'],
  ['policy limit', { mbps: 20 }, 'At the speed limit (20 Mbit/s)'],
])('says its numbers in English: %s %j', async (bottleneck, bottleneckFigures, text) => {
  expect(limitText({ state: 'running', bottleneck, bottleneckFigures }, await textsIn('en-US'))).toBe(text)
})

it.each([
  ['loss', { percent: 1.8, rttMs: 45 }, '受丢包限制（丢失 1.8% 的数据包，往返 45 毫秒）'],
  ['CPU', { percent: 97 }, '受处理器限制（单核 97%）'],
])('says its numbers in Chinese: %s %j', async (bottleneck, bottleneckFigures, text) => {
  expect(limitText({ state: 'running', bottleneck, bottleneckFigures }, await textsIn('zh-CN'))).toBe(text)
})
