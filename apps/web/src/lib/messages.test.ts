import { fakeClock } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { createMessages, stayMs } from './messages.ts'

describe('messages', () => {
  it('stay 3 s, 10 s with something to press, and until they are closed when something failed', () => {
    const message = { id: 1, text: 'Saved', at: 0 }
    expect(stayMs({ ...message, kind: 'success' })).toBe(3_000)
    expect(stayMs({ ...message, kind: 'info', action: { label: 'Undo', run: () => {} } })).toBe(10_000)
    expect(stayMs({ ...message, kind: 'error' })).toBeUndefined()
  })

  it('say the same once in 3 s', () => {
    const clock = fakeClock()
    const messages = createMessages(clock)
    messages.notify('info', 'Saved')
    clock.advance(2_999)
    messages.notify('info', 'Saved')
    messages.notify('info', 'Deleted')
    expect(messages.shown.get().map(({ text }) => text)).toEqual(['Saved', 'Deleted'])
    clock.advance(1)
    messages.notify('info', 'Saved')
    expect(messages.shown.get()).toHaveLength(3)
  })

  it('name code and request of a failure beside its text', () => {
    const messages = createMessages(fakeClock())
    messages.fail('no', { failure: (error) => `failed: ${String(error)}`, reference: () => 'Code 5102, request r1' })
    messages.fail('cut', { failure: String, reference: () => undefined })
    expect(messages.shown.get()).toMatchObject([
      { kind: 'error', text: 'failed: no', reference: 'Code 5102, request r1' },
      { kind: 'error', text: 'cut' },
    ])
  })

  it('are four at a time, and 200 in the history, the newest first', () => {
    const messages = createMessages(fakeClock())
    for (let at = 1; at <= 250; at++) messages.notify('info', `message ${at}`)
    expect(messages.shown.get().map(({ text }) => text)).toEqual([247, 248, 249, 250].map((at) => `message ${at}`))
    expect(messages.history.get()).toHaveLength(200)
    expect(messages.history.get()[0]?.text).toBe('message 250')
  })

  it('leave the screen one by one and the history all at once', () => {
    const messages = createMessages(fakeClock())
    messages.notify('info', 'one')
    messages.notify('info', 'two')
    messages.dismiss(messages.shown.get()[0]?.id ?? 0)
    expect(messages.shown.get().map(({ text }) => text)).toEqual(['two'])
    messages.forget()
    expect(messages.history.get()).toEqual([])
  })
})
