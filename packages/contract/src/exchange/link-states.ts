/** States of a share or invite link, as numbers on the wire. */
export const LINK_STATUS = { normal: 1, expired: 2, canceled: 3 } as const

/**
 * Why guests are kept out of a link whose status is normal: its owner may not do now what the link offers, its downloads
 * are used up, or its time has not come. They see the page of an expired link all the same.
 */
export const LINK_BLOCKS = ['owner', 'count', 'not-before'] as const
export type LinkBlock = (typeof LINK_BLOCKS)[number]

/** Whom a link is for: whoever has its address, people and groups of the site by name, or everybody who is signed in. */
export const LINK_AUDIENCES = ['anyone', 'named', 'everyone'] as const
export type LinkAudience = (typeof LINK_AUDIENCES)[number]

/** `shareUrlType` of a link: what a visitor may do. */
export const SHARE_URL_TYPE = { upload: 0, download: 1 } as const

/** `shareSrcType`: what is shared. */
export const SHARE_SOURCE_TYPE = { file: 0, folder: 1, files: 2 } as const

/** `orderBy` of the link list. */
export const LINK_ORDER_BY = { name: 1, createTime: 2, expiry: 3, status: 4 } as const

/** `shareExpireTime` of a link that stays. */
export const NEVER_EXPIRES = 0

/** Views of the public share page. */
export const SHARE_VIEWS = ['loading', 'login', 'disk', 'expired'] as const
