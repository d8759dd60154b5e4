import { ACCOUNT_TYPE, type AccountType } from '../identity/auth.ts'
import type { SiteInfo } from './site.ts'

export interface MenuEntry {
  readonly path: string
  /** Section of the side menu that holds it. */
  readonly section: 'files' | 'p2p' | 'delivery' | 'review' | 'links' | 'quarantine'
  /** Where its switch stands in `clientMenuDict`. */
  readonly group: 'files' | 'p2p' | 'delivery' | 'audit' | 'shareLink' | 'inviteLink' | 'quarantineArea'
  readonly switch: string
}

/**
 * The side menu in its order, which is also the order in which the landing page after sign-in is looked for
 * (document 1, section 2).
 */
export const MENU = {
  personal: { path: '/personal', section: 'files', group: 'files', switch: 'myFileSwitch' },
  group: { path: '/group', section: 'files', group: 'files', switch: 'groupFileSwitch' },
  p2pSender: { path: '/p2p/sender', section: 'p2p', group: 'p2p', switch: 'p2pSend' },
  p2pReceiver: { path: '/p2p/receiver', section: 'p2p', group: 'p2p', switch: 'p2pRecv' },
  delivery: { path: '/delivery', section: 'delivery', group: 'delivery', switch: 'myDeliverySwitch' },
  review: { path: '/review', section: 'review', group: 'audit', switch: 'myAuditSwitch' },
  reviewPending: { path: '/review/pending', section: 'review', group: 'audit', switch: 'auditingSwitch' },
  reviewed: { path: '/review/reviewed', section: 'review', group: 'audit', switch: 'auditedSwitch' },
  shareLinks: { path: '/link/share', section: 'links', group: 'shareLink', switch: 'switch' },
  inviteLinks: { path: '/link/invite', section: 'links', group: 'inviteLink', switch: 'switch' },
  quarantine: { path: '/quarantine', section: 'quarantine', group: 'quarantineArea', switch: 'switch' },
} as const satisfies Readonly<Record<string, MenuEntry>>

export type MenuName = keyof typeof MENU
export const MENU_ORDER = Object.keys(MENU) as readonly MenuName[]

export interface MenuViewer {
  readonly site: Pick<SiteInfo, 'clientMenuDict' | 'edition'>
  readonly accountType: AccountType
}

/** The entries a viewer sees. A switch that the site does not name is off. */
export function visibleMenu(viewer: MenuViewer): readonly MenuName[] {
  return MENU_ORDER.filter((name) => isVisible(name, viewer))
}

function isVisible(name: MenuName, { site, accountType }: MenuViewer): boolean {
  const entry: MenuEntry = MENU[name]
  if (!isOn(site.clientMenuDict[entry.group]?.[entry.switch])) return false
  if (name === 'group' && accountType === ACCOUNT_TYPE.linux) return false
  return !(site.edition === 'pro' && (entry.section === 'delivery' || entry.section === 'review'))
}

/** The whole menu is hidden when one entry is visible and the space switch is off. */
export function isMenuHidden(viewer: MenuViewer): boolean {
  return visibleMenu(viewer).length <= 1 && !isOn(viewer.site.clientMenuDict['space']?.['switch'])
}

/** @returns the page after sign-in; undefined shows the no-permission state */
export function landingPath(viewer: MenuViewer): string | undefined {
  const first = visibleMenu(viewer)[0]
  return first === undefined ? undefined : MENU[first].path
}

function isOn(value: boolean | number | undefined): boolean {
  return value === true || value === 1
}
