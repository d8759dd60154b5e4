/** Installers of the desktop client: Windows, Debian and Ubuntu, Red Hat and CentOS, macOS, and any Linux without root. */
export const CLIENT_PACKAGES = ['exe', 'deb', 'rpm', 'dmg', 'tgz'] as const
export type ClientPackage = (typeof CLIENT_PACKAGES)[number]
