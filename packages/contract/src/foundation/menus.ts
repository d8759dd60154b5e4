import { ACCOUNT_TYPE, type AccountType } from '../identity/account-types.ts'
import { type EditionName, EDITIONS, type Feature, hasFeature, leastEditionWith } from './editions.ts'
import type { SiteInfo } from './site.ts'

export interface MenuEntry {
  readonly path: string
  /** Section of the side menu that holds it. */
  readonly section: 'files' | 'p2p' | 'delivery' | 'review' | 'links' | 'quarantine'
  /** Where its switch is in `clientMenuDict`. */
  readonly group:
    | 'files'
    | 'p2p'
    | 'delivery'
    | 'audit'
    | 'shareLink'
    | 'inviteLink'
    | 'receivedLink'
    | 'quarantineArea'
  readonly switch: string
  /** What the edition must have for the page to work; without it the page explains the limit. */
  readonly feature?: Feature
}

/**
 * The side menu in display order. The landing page after sign-in is the first entry that the account may open.
 */
export const MENU = {
  personal: { path: '/personal', section: 'files', group: 'files', switch: 'myFileSwitch' },
  group: { path: '/group', section: 'files', group: 'files', switch: 'groupFileSwitch' },
  p2pSender: { path: '/p2p/sender', section: 'p2p', group: 'p2p', switch: 'p2pSend', feature: 'p2p' },
  p2pReceiver: { path: '/p2p/receiver', section: 'p2p', group: 'p2p', switch: 'p2pRecv', feature: 'p2p' },
  delivery: {
    path: '/delivery',
    section: 'delivery',
    group: 'delivery',
    switch: 'myDeliverySwitch',
    feature: 'delivery',
  },
  review: { path: '/review', section: 'review', group: 'audit', switch: 'myAuditSwitch', feature: 'review' },
  reviewPending: {
    path: '/review/pending',
    section: 'review',
    group: 'audit',
    switch: 'auditingSwitch',
    feature: 'review',
  },
  reviewed: { path: '/review/reviewed', section: 'review', group: 'audit', switch: 'auditedSwitch', feature: 'review' },
  shareLinks: { path: '/link/share', section: 'links', group: 'shareLink', switch: 'switch' },
  inviteLinks: { path: '/link/invite', section: 'links', group: 'inviteLink', switch: 'switch' },
  receivedLinks: { path: '/link/received', section: 'links', group: 'receivedLink', switch: 'switch' },
  quarantine: {
    path: '/quarantine',
    section: 'quarantine',
    group: 'quarantineArea',
    switch: 'switch',
    feature: 'quarantine',
  },
} as const satisfies Readonly<Record<string, MenuEntry>>

export type MenuName = keyof typeof MENU
export const MENU_ORDER = Object.keys(MENU) as readonly MenuName[]

export interface MenuViewer {
  readonly site: Pick<SiteInfo, 'clientMenuDict' | 'edition'>
  readonly accountType: AccountType
}

/** The entries a viewer sees. A switch that the site does not set is off. */
export function visibleMenu(viewer: MenuViewer): readonly MenuName[] {
  return MENU_ORDER.filter((name) => isVisible(name, viewer))
}

function isVisible(name: MenuName, viewer: MenuViewer): boolean {
  const { section }: MenuEntry = MENU[name]
  return isAllowed(name, viewer) && !(viewer.site.edition === 'pro' && (section === 'delivery' || section === 'review'))
}

function isAllowed(name: MenuName, { site, accountType }: MenuViewer): boolean {
  const entry: MenuEntry = MENU[name]
  if (!isOn(site.clientMenuDict[entry.group]?.[entry.switch])) return false
  return !(name === 'group' && accountType === ACCOUNT_TYPE.linux)
}

/** `denied`: the entry is switched off, or not for this kind of account. `limited`: the edition does not have it. */
export type PageAccess = 'open' | 'denied' | 'limited'

/** Access to the page of an entry, whether the menu shows the entry or not. */
export function pageAccess(name: MenuName, viewer: MenuViewer): PageAccess {
  if (!isAllowed(name, viewer)) return 'denied'
  const { feature }: MenuEntry = MENU[name]
  return feature === undefined || hasFeature(editionOf(viewer.site), feature) ? 'open' : 'limited'
}

/** The smallest edition that includes the page of an entry. */
export function leastEdition(name: MenuName): EditionName {
  const { feature }: MenuEntry = MENU[name]
  return feature === undefined ? 'free' : leastEditionWith(feature)
}

/** An unknown edition has no optional features. */
function editionOf({ edition }: MenuViewer['site']) {
  return EDITIONS[edition]
}

/** The space selector is above the menu when its switch is on. */
export function isSpaceSwitchOn(site: MenuViewer['site']): boolean {
  return isOn(site.clientMenuDict['space']?.['switch'])
}

/** The whole menu is hidden when one entry is visible and the space switch is off. */
export function isMenuHidden(viewer: MenuViewer): boolean {
  return visibleMenu(viewer).length <= 1 && !isSpaceSwitchOn(viewer.site)
}

/** @returns the page after sign-in; undefined shows the no-permission state */
export function landingPath(viewer: MenuViewer): string | undefined {
  const first = visibleMenu(viewer)[0]
  return first === undefined ? undefined : MENU[first].path
}

function isOn(value: boolean | number | undefined): boolean {
  return value === true || value === 1
}
