import { z } from 'zod'
import { LIMITS } from '../limits.ts'
import { defineOperation } from './operation-spec.ts'
import { fileType, place, userPath } from './paths.ts'

const MARK_ACTIONS = ['uploaded', 'changed', 'renamed', 'moved', 'copied', 'restored', 'downloaded', 'opened'] as const
export type MarkAction = (typeof MARK_ACTIONS)[number]

export const markedItem = z.object({
  spaceId: z.int(),
  groupId: z.int(),
  /** '' for personal files. */
  groupName: z.string(),
  name: z.string(),
  file_type: fileType,
  /** Bytes; of a folder 0. */
  size: z.int(),
  /** Of the last change, Unix seconds. */
  time: z.int(),
  path: z.string(),
  /** What the caller did with it last; null for a favorite. */
  did: z.enum(MARK_ACTIONS).nullable(),
  /** When it was marked or worked with, Unix seconds. */
  at: z.int(),
})
export type MarkedItem = z.infer<typeof markedItem>

const listing = {
  isRead: true,
  input: z.strictObject({
    spaceId: place.spaceId,
    /** Opaque; from the previous reply. */
    cursor: z.string().max(100).nullish(),
    limit: z.int().min(1).max(200).default(50),
  }),
  reply: z.object({ items: z.array(markedItem), next: z.string().nullable() }),
  errors: ['NO_SPACE', 'CURSOR_INVALID'],
} as const

export const markOperations = {
  favorites: defineOperation({
    name: 'favorites',
    summary: 'My favorites in a space, newest first, as far as I may see them now; follow `next` until it is null',
    ...listing,
  }),
  recent: defineOperation({
    name: 'recent',
    summary: 'Files that I worked with lately in a space, the last first, as far as I may see them now',
    ...listing,
  }),
  favoritesIn: defineOperation({
    name: 'favoritesIn',
    summary: 'Names in a folder that are favorites of mine',
    isRead: true,
    input: z.strictObject({ ...place, folder: userPath }),
    reply: z.object({ names: z.array(z.string()) }),
    errors: ['PATH_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
  mark: defineOperation({
    name: 'mark',
    summary: 'Make entries favorites of mine, or take the mark off them',
    input: z.strictObject({
      ...place,
      paths: z.array(userPath).min(1).max(LIMITS.favoritesMax),
      isFavorite: z.boolean(),
    }),
    reply: z.object({}),
    errors: ['PATH_NOT_FOUND', 'PERMISSION_DENIED', 'FAVORITES_LIMIT'],
  }),
  forgetRecent: defineOperation({
    name: 'forgetRecent',
    summary: 'Forget which files I worked with lately',
    input: z.strictObject({}),
    reply: z.object({}),
    errors: [],
  }),
}
