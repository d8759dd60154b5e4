export const PRODUCT_VERSION = '0.1.0'
export const PROTOCOL_VERSION = '1'
/** What a login reports to clients as served. */
export const CLIENT_VERSION = '1.0.0'
