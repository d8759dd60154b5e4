export { EditAnnouncementPage, NewAnnouncementPage } from './announcement-form.page.tsx'
export { NoticeTypesPage } from './notice-types.page.tsx'
export { AnnouncementsPage } from './announcements.page.tsx'
