import { describe, expect, it } from 'vitest'
import { formatTicket, parseTicket } from './tickets.ts'

const ticket = { id: '0123456789abcdef0123456789abcdef', secret: Buffer.alloc(32, 7) }

describe('a ticket as text', () => {
  it('is read back as it was', () => {
    const read = parseTicket(formatTicket(ticket))
    expect(read?.id).toBe(ticket.id)
    expect(Buffer.from(read?.secret ?? [])).toEqual(ticket.secret)
  })

  it('is nothing else', () => {
    const text = formatTicket(ticket)
    for (const other of ['', 'gwtt_', text.slice(0, -4), `${text}AAAA`, text.slice(5), text.replace('gwtt_', 'gat_')])
      expect(parseTicket(other)).toBeUndefined()
  })
})
