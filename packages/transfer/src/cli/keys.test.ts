import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { watchKeys } from './keys.ts'

class Terminal extends EventEmitter {
  isTTY = true
  isRaw = false
  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw
    return this
  }
  pause(): this {
    return this
  }
  resume(): this {
    return this
  }
}

function watched(terminal: Terminal) {
  const done: string[] = []
  const stop = watchKeys(terminal as unknown as Parameters<typeof watchKeys>[0], {
    togglePause: () => done.push('pause'),
    scaleRate: (factor) => done.push(`rate ${factor}`),
    stop: () => done.push('stop'),
  })
  return { done, stop }
}

describe('keys while a transfer runs', () => {
  it('pause and resume, change the rate and stop; others do nothing', () => {
    const terminal = new Terminal()
    const { done, stop } = watched(terminal)
    for (const keys of [' ', 'p', '+-', 'x\u001b[A', '\u0003']) terminal.emit('data', Buffer.from(keys))
    expect(done).toEqual(['pause', 'pause', 'rate 1.25', 'rate 0.8', 'stop'])
    expect(terminal.isRaw).toBe(true)
    stop()
    terminal.emit('data', Buffer.from(' '))
    expect(done).toHaveLength(5)
    expect(terminal.isRaw).toBe(false)
  })

  it('are left alone where there is no terminal', () => {
    const terminal = new Terminal()
    terminal.isTTY = false
    const { done } = watched(terminal)
    terminal.emit('data', Buffer.from('q'))
    expect([done, terminal.isRaw]).toEqual([[], false])
  })
})
