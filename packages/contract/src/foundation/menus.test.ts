import type { EditionName } from './editions.ts'
import { describe, expect, it } from 'vitest'
import { ACCOUNT_TYPE } from '../identity/account-types.ts'
import {
  isMenuHidden,
  landingPath,
  leastEdition,
  MENU,
  MENU_ORDER,
  pageAccess,
  visibleMenu,
  type MenuViewer,
} from './menus.ts'

const ALL_ON = {
  files: { myFileSwitch: 1, groupFileSwitch: 1 },
  p2p: { p2pSend: 1, p2pRecv: 1 },
  delivery: { myDeliverySwitch: 1 },
  audit: { myAuditSwitch: 1, auditingSwitch: 1, auditedSwitch: 1 },
  shareLink: { switch: 1 },
  inviteLink: { switch: true },
  receivedLink: { switch: 1 },
  quarantineArea: { switch: 1 },
  space: { switch: 0, spaceId: 1 },
}

const viewer = (
  changes: Partial<MenuViewer['site']> = {},
  accountType: MenuViewer['accountType'] = ACCOUNT_TYPE.normal,
): MenuViewer => ({ site: { edition: 'enterprise', clientMenuDict: ALL_ON, ...changes }, accountType })

describe('side menu', () => {
  it('lists all entries when every switch is on', () => {
    expect(visibleMenu(viewer())).toEqual(MENU_ORDER)
  })

  it('hides what the site switches off or does not name', () => {
    const clientMenuDict = { files: { myFileSwitch: 1, groupFileSwitch: 0 }, shareLink: { switch: 1 } }
    expect(visibleMenu(viewer({ clientMenuDict }))).toEqual(['personal', 'shareLinks'])
  })

  it('hides group files for Linux accounts', () => {
    expect(visibleMenu(viewer({}, ACCOUNT_TYPE.linux))).not.toContain('group')
  })

  it('hides delivery and review in the small-business edition', () => {
    const hidden = ['delivery', 'review', 'reviewPending', 'reviewed']
    expect(visibleMenu(viewer({ edition: 'pro' }))).toEqual(MENU_ORDER.filter((name) => !hidden.includes(name)))
  })

  it('is hidden when one entry is left and the space switch is off', () => {
    const one = { files: { myFileSwitch: 1 } }
    expect(isMenuHidden(viewer({ clientMenuDict: one }))).toBe(true)
    expect(isMenuHidden(viewer({ clientMenuDict: { ...one, space: { switch: 1 } } }))).toBe(false)
    expect(isMenuHidden(viewer())).toBe(false)
  })
})

describe('landing page', () => {
  it('is the first enabled of: my files, group files, p2p send, p2p receive, delivery, review, share links, invite links, links shared with me, quarantine', () => {
    const landings: Array<string | undefined> = []
    const dict: Record<string, Record<string, number | boolean>> = structuredClone(ALL_ON)
    const order: ReadonlyArray<[string, string]> = [
      ['files', 'myFileSwitch'],
      ['files', 'groupFileSwitch'],
      ['p2p', 'p2pSend'],
      ['p2p', 'p2pRecv'],
      ['delivery', 'myDeliverySwitch'],
      ['audit', 'myAuditSwitch'],
      ['shareLink', 'switch'],
      ['inviteLink', 'switch'],
      ['receivedLink', 'switch'],
      ['quarantineArea', 'switch'],
    ]
    dict['audit'] = { myAuditSwitch: 1 }
    for (const [group, name] of order) {
      landings.push(landingPath(viewer({ clientMenuDict: dict })))
      dict[group] = { ...dict[group], [name]: 0 }
    }
    expect(landings).toEqual([
      '/personal',
      '/group',
      '/p2p/sender',
      '/p2p/receiver',
      '/delivery',
      '/review',
      '/link/share',
      '/link/invite',
      '/link/received',
      '/quarantine',
    ])
    expect(landingPath(viewer({ clientMenuDict: dict }))).toBeUndefined()
  })
})

describe('the page of a menu entry', () => {
  it('is denied when its switch is off, whatever the edition', () => {
    for (const edition of ['free', 'traffic', 'pro', 'enterprise'] as const) {
      for (const name of MENU_ORDER) expect(pageAccess(name, viewer({ edition, clientMenuDict: {} }))).toBe('denied')
    }
  })

  it('is denied to Linux accounts for group files', () => {
    expect(pageAccess('group', viewer({}, ACCOUNT_TYPE.linux))).toBe('denied')
  })

  it('shows the limit when the edition lacks what it is made of', () => {
    const limited = (edition: EditionName) =>
      MENU_ORDER.filter((name) => pageAccess(name, viewer({ edition })) === 'limited')
    expect(limited('enterprise')).toEqual([])
    const enterpriseOnly = ['delivery', 'review', 'reviewPending', 'reviewed', 'quarantine']
    expect(limited('pro')).toEqual(enterpriseOnly)
    expect(limited('free')).toEqual(['p2pSender', 'p2pReceiver', ...enterpriseOnly])
  })

  it('names the least edition that has it', () => {
    expect(MENU_ORDER.filter((name) => leastEdition(name) === 'enterprise')).toEqual([
      'delivery',
      'review',
      'reviewPending',
      'reviewed',
      'quarantine',
    ])
    expect(leastEdition('p2pSender')).toBe('traffic')
  })
  it('is open otherwise, and always when its entry is visible in an edition that has it', () => {
    for (const name of visibleMenu(viewer())) expect(pageAccess(name, viewer())).toBe('open')
    expect(Object.keys(MENU)).toHaveLength(12)
  })
})
