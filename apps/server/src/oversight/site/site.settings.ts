import { onOff } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

const MENU = { tab: 'menu' } as const

/** Entries of the menu whose features are not here yet; each moves to its feature. */
export const SITE_SETTINGS = defineSettings({
  'menu.p2p.p2pSend': setting(onOff(0), MENU),
  'menu.p2p.p2pRecv': setting(onOff(0), MENU),
  'menu.delivery.myDeliverySwitch': setting(onOff(0), MENU),
  'menu.audit.myAuditSwitch': setting(onOff(0), MENU),
  'menu.audit.auditingSwitch': setting(onOff(0), MENU),
  'menu.audit.auditedSwitch': setting(onOff(0), MENU),
  'menu.shareLink.switch': setting(onOff(1), MENU),
  'menu.inviteLink.switch': setting(onOff(1), MENU),
  'menu.receivedLink.switch': setting(onOff(1), MENU),
  'menu.quarantineArea.switch': setting(onOff(0), MENU),
})
