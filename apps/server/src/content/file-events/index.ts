export { folderOf, hashOfPath, treeOwnerOf } from './event-paths.ts'
export { originOf, parseOrigin, type FileEvent, type Origin } from './file-events.ts'
export { FOLLOWED_TYPES, followEvent, isFollowed, type PathKeeper, type Turn } from './follow.ts'
