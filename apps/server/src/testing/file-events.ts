import type { FileEvent } from '../content/file-events/index.ts'

/** An event of a small file in the personal files of an account, for services under test. */
export function fileEvent(path: string, userId = 'u'): FileEvent {
  return {
    by: { kind: 'user', id: userId },
    door: 'http',
    userId,
    spaceId: 1,
    groupId: 0,
    path,
    kind: 'file',
    size: 1,
    at: 0,
  }
}
