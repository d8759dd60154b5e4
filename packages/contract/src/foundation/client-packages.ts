/** Installers of the desktop client: Windows, Debian and Ubuntu, Red Hat and CentOS, macOS. */
export const CLIENT_PACKAGES = ['exe', 'deb', 'rpm', 'dmg'] as const
export type ClientPackage = (typeof CLIENT_PACKAGES)[number]
