/** A code with the number of a room, which is no secret, before the part that is one: `7431-k3fm-9qtw-x2hp`. */
export interface RoomCode {
  readonly room: string
  readonly secret: string
}

/** Undefined when it does not begin with the number of a room. */
export function readRoomCode(text: string): RoomCode | undefined {
  const found = /^\s*(\d{4,9})[\s-]+(\S.*?)\s*$/.exec(text)
  const [, room, secret] = found ?? []
  return room === undefined || secret === undefined ? undefined : { room, secret }
}

export function writeRoomCode({ room, secret }: RoomCode): string {
  return `${room}-${secret}`
}
