import { fakeClock, seededRandom } from '@godwit/base'
import { beforeEach, describe, expect, it } from 'vitest'
import { Rooms, type Room, type Seat } from './rooms.ts'

const MINUTE = 60_000

class TestSeat implements Seat {
  readonly heard: string[] = []
  joined(room: Room): void {
    this.heard.push(`joined ${room.number}`)
  }
  expired(): void {
    this.heard.push('expired')
  }
}

describe('rooms', () => {
  let clock = fakeClock()
  let rooms: Rooms
  let ended: string[] = []
  const end = ({ number }: Room): void => void ended.push(number)
  const open = (owner = 'account mei', again?: { number: string; key: string | undefined }) => {
    const seat = new TestSeat()
    return { seat, room: rooms.open({ owner, seat, roomsPerOwner: 3, again }) }
  }

  beforeEach(() => {
    clock = fakeClock()
    ended = []
    rooms = new Rooms(() => clock.monotonic(), seededRandom(5), end)
  })

  it('have a number of four digits, and take one sender', () => {
    const { seat, room } = open()
    expect(room.number).toMatch(/^\d{4}$/)
    rooms.join(room.number, new TestSeat())
    expect(seat.heard).toEqual([`joined ${room.number}`])
    expect(() => rooms.join(room.number, new TestSeat())).toThrow(expect.objectContaining({ wire: 6233 }))
    expect(() => rooms.join('0000', new TestSeat())).toThrow(expect.objectContaining({ wire: 6232 }))
  })

  it('close ten minutes after anybody used them, and not while they are used', () => {
    const { seat, room } = open()
    clock.advance(10 * MINUTE - 1)
    rooms.sweep()
    expect(rooms.size).toBe(1)
    const sender = new TestSeat()
    rooms.join(room.number, sender)
    clock.advance(60 * MINUTE)
    rooms.sweep()
    expect(rooms.leave(room, sender)).toBe(seat)
    clock.advance(10 * MINUTE)
    rooms.sweep()
    expect(rooms.size).toBe(0)
    expect(() => rooms.join(room.number, sender)).toThrow(expect.objectContaining({ wire: 6232 }))
  })

  it('say that a meeting has ended, also when its receiver is back before anybody knows of that, and live on from then', () => {
    const { seat, room } = open()
    rooms.leave(room, seat)
    const again = { number: room.number, key: room.key }
    open('account mei', again)
    expect(ended).toEqual([])
    const sender = new TestSeat()
    rooms.join(room.number, sender)
    clock.advance(60 * MINUTE)
    open('account mei', again)
    expect(sender.heard).toEqual(['expired'])
    expect(ended).toEqual([room.number])
    rooms.sweep()
    expect(rooms.size).toBe(1)
    rooms.join(room.number, sender)
    rooms.leave(room, sender)
    expect(ended).toEqual([room.number, room.number])
  })

  it('stay for a receiver that comes back with their key, also to a server that has forgotten them', () => {
    const { seat, room } = open()
    rooms.leave(room, seat)
    expect(() => rooms.join(room.number, new TestSeat())).toThrow(expect.objectContaining({ wire: 6234 }))
    const again = { number: room.number, key: room.key }
    expect(open('address 192.0.2.1', again).room).toBe(room)
    rooms = new Rooms(() => clock.monotonic(), seededRandom(6), end)
    expect(open('account mei', again).room).toMatchObject(again)
  })

  it('are given to nobody else', () => {
    const { room } = open()
    const other = { number: room.number, key: 'another' }
    expect(() => open('account tom', other)).toThrow(expect.objectContaining({ wire: 6233 }))
    // A program that was started again has the account, and no key.
    expect(open('account mei', { number: room.number, key: undefined }).room).toBe(room)
  })

  it('free those who were in them when the receiver comes anew: its old connection was dead', () => {
    const { seat, room } = open()
    const sender = new TestSeat()
    rooms.join(room.number, sender)
    const { seat: newSeat } = open('account mei', { number: room.number, key: room.key })
    expect([seat.heard.at(-1), sender.heard]).toEqual(['expired', ['expired']])
    expect(rooms.leave(room, seat)).toBeUndefined()
    rooms.join(room.number, new TestSeat())
    expect(newSeat.heard).toEqual([`joined ${room.number}`])
  })

  it('are limited for each account or address', () => {
    for (let count = 0; count < 3; count++) open()
    expect(() => open()).toThrow(expect.objectContaining({ wire: 6236 }))
    expect(open('account tom').room.number).toMatch(/^\d+$/)
  })

  it('take nobody once they have relayed their most', () => {
    const { room } = open()
    room.relayedBytes = 101
    expect(() => rooms.join(room.number, new TestSeat(), 100)).toThrow(expect.objectContaining({ wire: 6237 }))
  })

  it('let a ticket ask the reflector a few times, while its holder is there', () => {
    const ticket = rooms.issueTicket()
    const bytes = Buffer.from(ticket, 'hex')
    expect(Array.from({ length: 30 }, () => rooms.reflects(bytes)).filter(Boolean)).toHaveLength(24)
    const other = rooms.issueTicket()
    rooms.dropTicket(other)
    expect(rooms.reflects(Buffer.from(other, 'hex'))).toBe(false)
    expect(rooms.reflects(new Uint8Array(16))).toBe(false)
  })
})
