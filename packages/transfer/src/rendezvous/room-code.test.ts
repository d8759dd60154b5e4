import { expect, it } from 'vitest'
import { readRoomCode, writeRoomCode } from './room-code.ts'

it('a code with a room has its number first, and everything behind it is secret', () => {
  const code = { room: '7431', secret: 'k3fm-9qtw-x2hp' }
  expect(readRoomCode(writeRoomCode(code))).toEqual(code)
  expect(readRoomCode(' 7431 2345-6789-abcd\n')).toEqual({ room: '7431', secret: '2345-6789-abcd' })
})

it.each(['k3fm-9qtw-x2hp', '743-k3fm', '7431', '7431-', '1234567890-abcd', ''])('%j has no room', (text) => {
  expect(readRoomCode(text)).toBeUndefined()
})
