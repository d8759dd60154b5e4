import type { TreeNode } from '@godwit/base'
import type { ConflictPolicy } from '@godwit/contract'
import type { SealedBody, Sealing } from './seal-body.ts'

export interface PackEntry {
  readonly file: File
  readonly relativePath: string
  readonly conflict: ConflictPolicy
}

/** The files of a pack that could be read. */
export interface PackBody {
  readonly body: Blob
  /** Places in the pack of those that could not be; the body does without them. */
  readonly unreadable: readonly number[]
}

export type HashRequest =
  | { readonly id: number; readonly kind: 'part'; readonly blob: Blob; readonly offset: number }
  | { readonly id: number; readonly kind: 'root'; readonly size: number; readonly nodes: readonly TreeNode[] }
  | { readonly id: number; readonly kind: 'pack'; readonly entries: readonly PackEntry[] }
  | { readonly id: number; readonly kind: 'seal'; readonly blob: Blob; readonly sealing: Sealing }

export type HashReply =
  | { readonly id: number; readonly kind: 'part'; readonly nodes: readonly TreeNode[] }
  | { readonly id: number; readonly kind: 'root'; readonly hash: string }
  | { readonly id: number; readonly kind: 'pack'; readonly pack: PackBody }
  | { readonly id: number; readonly kind: 'seal'; readonly sealed: SealedBody }
  | { readonly id: number; readonly kind: 'failed'; readonly reason: string }
