import { LINK_STATUS, NEVER_EXPIRES, type LinkBlock } from '@godwit/contract'
import { isInside } from './link-audience.ts'
import type { LinkRow } from './links.schema.ts'

export type LinkTimes = Pick<
  LinkRow,
  'status' | 'expires_at' | 'lost_at' | 'not_before' | 'download_limit' | 'download_count'
>

/** The state as lists show it: expired when its time is over, whether it was swept or not, and while nothing of it is left. */
export function statusOf(link: Pick<LinkRow, 'status' | 'expires_at' | 'lost_at'>, now: number): number {
  if (link.status === LINK_STATUS.canceled) return LINK_STATUS.canceled
  const isPast = link.expires_at !== NEVER_EXPIRES && link.expires_at <= now
  return isPast || Number(link.lost_at) > 0 ? LINK_STATUS.expired : LINK_STATUS.normal
}

/** Why guests are kept out of a link whose status is normal, apart from what its owner may do. */
export function blockOf(link: LinkTimes, now: number): Exclude<LinkBlock, 'owner'> | null {
  if (link.not_before > now) return 'not-before'
  return link.download_limit > 0 && link.download_count >= link.download_limit ? 'count' : null
}

/** Whether visits go on: those who were in before a link was used up may end what they began. */
export function isUsable(link: LinkTimes, now: number): boolean {
  return statusOf(link, now) === LINK_STATUS.normal && link.not_before <= now
}

/** Whether those who are in would have to show more than they did. */
export function isStricter(row: LinkRow, change: Partial<LinkRow>): boolean {
  const { password_sealed: password = row.password_sealed, need_email: email, audience = row.audience } = change
  if (audience !== row.audience && audience !== 'anyone') return true
  // The first device that comes from now on is the only one, also where those who are in signed in.
  if (change.bind_switch === 1 && row.bind_switch === 0) return true
  // Whoever signed in needed no password.
  return !isInside(row) && (password !== row.password_sealed || (email === 1 && row.need_email === 0))
}

/** A link is named by its address, or by the id that is the end of it. @returns undefined for anything else */
export function linkIdIn(address: string): string | undefined {
  const path = address.split(/[?#]/, 1)[0] ?? ''
  return /(?:^|\/)([0-9a-f]{32})\/?$/.exec(path)?.[1]
}
