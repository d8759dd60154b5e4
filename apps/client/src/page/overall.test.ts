import { describe, expect, it } from 'vitest'
import { overallState } from './overall.ts'

const ONLINE = { isConnected: true }
const AWAY = { isConnected: false }

describe('the state of the client as a whole', () => {
  it.each([
    ['idle', [], [ONLINE], false],
    ['idle', ['done', 'cancelled'], [ONLINE], false],
    ['active', ['running'], [ONLINE], false],
    ['active', ['waiting'], [ONLINE], false],
    ['active', ['running', 'paused'], [ONLINE], false],
    ['paused', ['paused', 'done'], [ONLINE], false],
    ['paused', ['running'], [ONLINE], true],
    ['paused', [], [ONLINE], true],
    ['asking', ['asking', 'running'], [ONLINE], false],
    ['asking', ['asking'], [ONLINE], true],
    ['offline', ['asking'], [AWAY], false],
    ['error', ['asking', 'partial'], [ONLINE], false],
    ['offline', [], [], false],
    ['offline', ['running'], [ONLINE, AWAY], false],
    ['offline', ['waiting'], [AWAY], true],
    ['error', ['failed'], [ONLINE], false],
    ['error', ['running', 'partial', 'paused'], [ONLINE], false],
    ['error', ['failed', 'done'], [AWAY], true],
  ] as const)('is %s with items %j, accounts %j and everything paused: %s', (overall, states, accounts, isPaused) => {
    const counts = Object.fromEntries(states.map((state) => [state, 1]))
    expect(overallState({ counts, accounts, isPaused })).toBe(overall)
  })
})
