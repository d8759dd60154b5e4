/** Entries of the portal's menu by their switches, in its order. Written out, because its own module is a part of the portal's first load. */
export const MENU_ENTRIES = [
  ['menu.files.myFileSwitch', 'menu.personal'],
  ['menu.files.groupFileSwitch', 'menu.group'],
  ['menu.p2p.p2pSend', 'menu.p2pSender'],
  ['menu.p2p.p2pRecv', 'menu.p2pReceiver'],
  ['menu.delivery.myDeliverySwitch', 'menu.delivery'],
  ['menu.audit.myAuditSwitch', 'menu.review'],
  ['menu.audit.auditingSwitch', 'menu.reviewPending'],
  ['menu.audit.auditedSwitch', 'menu.reviewed'],
  ['menu.shareLink.switch', 'menu.shareLinks'],
  ['menu.inviteLink.switch', 'menu.inviteLinks'],
  ['menu.receivedLink.switch', 'menu.receivedLinks'],
  ['menu.quarantineArea.switch', 'menu.quarantine'],
] as const
