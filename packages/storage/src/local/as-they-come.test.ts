import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { asTheyCome } from './as-they-come.ts'

async function* counting(name: string, count: number, ended: string[]): AsyncGenerator<string> {
  try {
    for (let at = 0; at < count; at++) {
      await sleep(0)
      yield `${name}${at}`
    }
  } finally {
    await sleep(0)
    ended.push(name)
  }
}

async function* failing(): AsyncGenerator<string> {
  yield 'f0'
  await sleep(0)
  throw new Error('cut')
}

it('brings all of all sources, each in its own order', async () => {
  const ended: string[] = []
  const items = await Array.fromAsync(
    asTheyCome([counting('a', 5, ended), counting('b', 2, ended), counting('c', 0, ended)]),
  )
  expect(items.toSorted()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'b0', 'b1'])
  expect(items.filter((item) => item.startsWith('a'))).toEqual(['a0', 'a1', 'a2', 'a3', 'a4'])
  expect(ended.toSorted()).toEqual(['a', 'b', 'c'])
})

it('brings what is there while another source has nothing yet', async () => {
  const gate = Promise.withResolvers<undefined>()
  async function* waiting(): AsyncGenerator<string> {
    await gate.promise
    yield 'late'
  }
  const items: string[] = []
  for await (const item of asTheyCome([waiting(), counting('a', 3, [])])) {
    items.push(item)
    if (item === 'a2') gate.resolve(undefined)
  }
  expect(items).toEqual(['a0', 'a1', 'a2', 'late'])
})

it('has ended all sources when it ends: left in the middle, or by the failure of one', async () => {
  const ended: string[] = []
  for await (const item of asTheyCome([counting('a', 5, ended), counting('b', 5, ended)])) if (item === 'b1') break
  expect(ended.toSorted()).toEqual(['a', 'b'])
  const failed = Array.fromAsync(asTheyCome([failing(), counting('d', 50, ended)]))
  await expect(failed).rejects.toThrow('cut')
  expect(ended.toSorted()).toEqual(['a', 'b', 'd'])
})
