export { AcmePage } from './acme.page.tsx'
export { BackupsPage } from './backups.page.tsx'
export { DesignPage } from './design.page.tsx'
export {
  BackupHistoryPage,
  CertificateHistoryPage,
  DesignHistoryPage,
  MailWordsHistoryPage,
  SecurityHistoryPage,
  SettingHistoryPage,
} from './history.page.tsx'
export { MailWordsPage } from './mail-words.page.tsx'
export { MailPage } from './mail.page.tsx'
export { SecurityPage } from './security.page.tsx'
export { SettingsPage } from './settings.page.tsx'
