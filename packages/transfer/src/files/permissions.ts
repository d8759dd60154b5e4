import type { KeptAttributes } from '../messages/messages.ts'

/**
 * Permissions of a file or folder that was received. As a rule never more than its group may read, whatever the
 * sender had; with `--perms` those of the sender. The owner can always change what was received.
 */
export function permissionsOf(
  entry: { readonly mode: number; readonly kind?: 'file' | 'directory' | 'link' },
  keeps: KeptAttributes,
): number {
  const forOwner = entry.kind === 'directory' ? 0o700 : 0o600
  return (keeps.permissions ? entry.mode & 0o777 : entry.mode & 0o750) | forOwner
}
