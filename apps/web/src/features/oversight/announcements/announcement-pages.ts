export { EditAnnouncementPage, NewAnnouncementPage } from './announcement-form.page.tsx'
export { AnnouncementsPage } from './announcements.page.tsx'
