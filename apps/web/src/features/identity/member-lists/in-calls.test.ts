import { expect, it } from 'vitest'
import type { Texts } from '../../../lib/texts.tsx'
import { accountsField, accountsOf } from './accounts-field.ts'
import { inCalls } from './in-calls.ts'

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `member-${at}`)

it('sends 2,500 members in calls of 1,000 at most, each of them once', async () => {
  const sent: string[][] = []
  const changed = await inCalls(names(2500), async (userIds) => {
    sent.push(userIds)
    return Promise.resolve({ members: userIds.length })
  })
  expect([changed, sent.map(({ length }) => length)]).toEqual([2500, [1000, 1000, 500]])
  expect(new Set(sent.flat()).size).toBe(2500)
})

it('takes 1,000 accounts in one field, whole, and says so when there are more', () => {
  const texts = ((key: string) => key) as unknown as Texts
  const field = accountsField(texts, [])
  if (field.kind !== 'text') throw new Error('accounts are typed')
  const longest = names(1000).map((name) => name.padEnd(64, 'x'))
  expect(field.maxLength).toBeGreaterThanOrEqual(longest.join(', ').length)
  expect(field.rule?.(longest.join(', '), {})).toBeUndefined()
  expect(accountsOf(longest.join(', '))).toEqual(longest)
  expect(field.rule?.([...longest, 'one-more'].join(' '), {})).toBe('users.list-too-long')
})
