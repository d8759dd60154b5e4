import { onOff } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

/** Entries of the menu whose features are not here yet; each moves to its feature. */
export const SITE_SETTINGS = defineSettings({
  'menu.p2p.p2pSend': setting(onOff(0)),
  'menu.p2p.p2pRecv': setting(onOff(0)),
  'menu.delivery.myDeliverySwitch': setting(onOff(0)),
  'menu.audit.myAuditSwitch': setting(onOff(0)),
  'menu.audit.auditingSwitch': setting(onOff(0)),
  'menu.audit.auditedSwitch': setting(onOff(0)),
  'menu.shareLink.switch': setting(onOff(0)),
  'menu.inviteLink.switch': setting(onOff(0)),
  'menu.quarantineArea.switch': setting(onOff(0)),
})
