import { formatTicket, parseTicket } from '@godwit/transfer/endpoints'
import type { Vault } from '../../kernel/crypto/index.ts'
import { secretsEqual } from '../../kernel/crypto/index.ts'

const PURPOSE = 'transfer-ticket'

/** Follows from the id and the key of the installation: nothing is stored, and every node knows it. */
export function ticketSecret(vault: Vault, transferId: string): Buffer {
  return Buffer.from(vault.mac(PURPOSE, transferId), 'hex')
}

export function ticketOf(vault: Vault, transferId: string): string {
  return formatTicket({ id: transferId, secret: ticketSecret(vault, transferId) })
}

/** @returns the transfer that a ticket opens; undefined for a text that this installation never issued */
export function transferOfTicket(vault: Vault, text: string): string | undefined {
  const ticket = parseTicket(text)
  if (ticket === undefined) return undefined
  return secretsEqual(ticketOf(vault, ticket.id), text) ? ticket.id : undefined
}
