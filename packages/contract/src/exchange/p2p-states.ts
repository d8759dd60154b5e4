/** Answer of the point-to-point status call; the two faults are also P2P_RECEIVING_OFF and P2P_DEVICE_UNAVAILABLE. */
export const P2P_STATUS = { ready: 0, receivingOff: 33, deviceUnavailable: 35 } as const

/** When files are sent to a device. */
export const P2P_SEND_TIMES = ['now', 'later'] as const
