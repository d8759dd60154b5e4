export { noticeEndpoints } from './notices.routes.ts'
export { createNotices, type Notices } from './notices.service.ts'
export { subscribeNotices } from './notices.subscribers.ts'
