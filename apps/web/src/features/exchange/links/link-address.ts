/** The address to hand out. While the installation has no public address of its own, the one that this page came from. */
export function fullAddress(shareLink: string): string {
  return new URL(shareLink, location.origin).href
}
