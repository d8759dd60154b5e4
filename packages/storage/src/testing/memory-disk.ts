import fs from 'node:fs'
import type { Random } from '@godwit/base'
import type { Disk, DiskEntry, DiskPage, DiskStat, OpenPlace } from '../local/disk.ts'
import { KIND_FILE, KIND_FOLDER, KIND_GONE } from '../object-store.ts'

/** What a power cut leaves of what was never flushed: nothing, everything, or any part of it. */
export type Survival = 'none' | 'all' | 'some'

interface Node {
  readonly inode: number
  readonly device: number
  readonly kind: 'file' | 'folder'
  links: number
  modifiedMs: number
  data: Uint8Array
  /** As the platter has it. */
  durableData: Uint8Array
  readonly names: Map<string, Node>
  readonly durableNames: Map<string, Node>
}

/** A change of names that has not been flushed. A rename touches two folders and survives whole or not at all. */
interface NameChange {
  readonly folders: readonly Node[]
  apply(namesOf: (folder: Node) => Map<string, Node>): void
}

const BLOCK = 4096

/**
 * A filesystem in memory that tracks which bytes and names would survive a power cut, with the minimum that POSIX guarantees:
 * contents are durable after a flush of the file, names after a flush of their folder; everything else may survive or not,
 * block by block and name by name. No real filesystem is as bad, so what holds here holds on all of them.
 */
export class MemoryDisk implements Disk {
  #root: Node
  #nextInode = 1
  #nextFile = 3
  readonly #open = new Map<number, Node>()
  #pending: NameChange[] = []

  readonly #mounts: readonly string[]

  /** @param mounts paths at which another filesystem begins once the folder is made */
  constructor(mounts: readonly string[] = []) {
    this.#mounts = mounts
    this.#root = this.#newNode('folder', 1)
  }

  /** The disk as it is found after a power cut. */
  afterPowerCut(survival: Survival, random: Random): MemoryDisk {
    const survives = (): boolean => survival === 'all' || (survival === 'some' && randomBit(random))
    for (const change of this.#pending) if (survives()) change.apply((folder) => folder.durableNames)
    const after = new MemoryDisk(this.#mounts)
    after.#nextInode = this.#nextInode
    const copies = new Map<Node, Node>()
    const copied = (node: Node): Node => {
      const known = copies.get(node)
      if (known !== undefined) return known
      const data = mixedBlocks(node, survives)
      const copy: Node = {
        ...node,
        links: 0,
        data,
        durableData: data.slice(),
        names: new Map(),
        durableNames: new Map(),
      }
      copies.set(node, copy)
      for (const [name, child] of node.durableNames) {
        const childCopy = copied(child)
        childCopy.links++
        copy.names.set(name, childCopy)
        copy.durableNames.set(name, childCopy)
      }
      return copy
    }
    after.#root = copied(this.#root)
    return after
  }

  openDirect(): Promise<number> {
    return Promise.reject(systemError('EINVAL', 'open'))
  }

  async open(path: string, flags: number, _mode?: number): Promise<number> {
    const existing = this.#find(path)
    const { O_CREAT, O_DIRECTORY, O_EXCL } = fs.constants
    if (existing !== undefined && (flags & O_EXCL) !== 0) throw systemError('EEXIST', 'open')
    if (existing === undefined && (flags & O_CREAT) === 0) throw systemError('ENOENT', 'open')
    if (existing?.kind === 'file' && (flags & O_DIRECTORY) !== 0) throw systemError('ENOTDIR', 'open')
    const node = existing ?? this.#create(path, 'file')
    const file = this.#nextFile++
    this.#open.set(file, node)
    return file
  }

  async close(file: number): Promise<void> {
    if (!this.#open.delete(file)) throw systemError('EBADF', 'close')
  }

  async read(file: number, into: Uint8Array, position: number): Promise<number> {
    const piece = this.#opened(file).data.subarray(position, position + into.length)
    into.set(piece)
    return piece.length
  }

  async write(file: number, chunks: readonly Uint8Array[], position: number): Promise<number> {
    const node = this.#opened(file)
    const bytes = Buffer.concat(chunks)
    if (node.data.length < position + bytes.length) node.data = resized(node.data, position + bytes.length)
    node.data.set(bytes, position)
    return bytes.length
  }

  async clone(): Promise<void> {
    throw systemError('EOPNOTSUPP', 'ioctl')
  }

  async truncate(file: number, size: number): Promise<void> {
    const node = this.#opened(file)
    node.data = resized(node.data, size)
  }

  async setModified(file: number, modifiedMs: number): Promise<void> {
    this.#opened(file).modifiedMs = modifiedMs
  }

  async flush(file: number): Promise<void> {
    const node = this.#opened(file)
    node.durableData = node.data.slice()
  }

  async flushFolder(folder: number): Promise<void> {
    const node = this.#opened(folder)
    this.#pending = this.#pending.filter((change) => {
      if (!change.folders.includes(node)) return true
      change.apply((touched) => touched.durableNames)
      return false
    })
  }

  async link(from: string, to: string): Promise<void> {
    const node = this.#need(from, 'link')
    if (this.#find(to) !== undefined) throw systemError('EEXIST', 'link')
    this.#checkSameDevice(node, to, 'link')
    node.links++
    this.#setName(to, node)
  }

  async rename(from: string, to: string): Promise<void> {
    const node = this.#need(from, 'rename')
    this.#checkSameDevice(node, to, 'rename')
    const taken = this.#find(to)
    if (taken === node) return
    if (taken?.kind === 'folder' && node.kind === 'file') throw systemError('EISDIR', 'rename')
    if (taken?.kind === 'file' && node.kind === 'folder') throw systemError('ENOTDIR', 'rename')
    if (taken !== undefined && taken.names.size > 0) throw systemError('ENOTEMPTY', 'rename')
    if (taken !== undefined) taken.links--
    const source = this.#parent(from)
    const target = this.#parent(to)
    this.#change({
      folders: [source.folder, target.folder],
      apply(namesOf) {
        if (namesOf(source.folder).get(source.name) === node) namesOf(source.folder).delete(source.name)
        namesOf(target.folder).set(target.name, node)
      },
    })
  }

  async unlink(path: string): Promise<void> {
    const node = this.#need(path, 'unlink')
    if (node.kind === 'folder') throw systemError('EISDIR', 'unlink')
    this.#removeName(path, node)
  }

  async makeFolder(path: string, _mode: number): Promise<void> {
    if (this.#find(path) !== undefined) throw systemError('EEXIST', 'mkdir')
    this.#create(path, 'folder')
  }

  async removeFolder(path: string): Promise<void> {
    const node = this.#need(path, 'rmdir')
    if (node.kind === 'file') throw systemError('ENOTDIR', 'rmdir')
    if (node.names.size > 0) throw systemError('ENOTEMPTY', 'rmdir')
    this.#removeName(path, node)
  }

  async stat(path: string): Promise<DiskStat> {
    return statOf(this.#need(path, 'lstat'))
  }

  async statFile(file: number): Promise<DiskStat> {
    return statOf(this.#opened(file))
  }

  async list(path: string): Promise<DiskEntry[]> {
    return Array.from(this.#need(path, 'scandir').names, ([name, { kind }]) => ({ name, kind }))
  }

  async *pages({ at }: OpenPlace): AsyncIterable<DiskPage> {
    yield { plain: undefined, entries: await this.list(at) }
  }

  async statMany({ at }: OpenPlace, names: readonly string[]) {
    const found = names.map((name) => this.#find(`${at}/${name}`))
    return {
      kinds: Uint8Array.from(found, (node) =>
        node === undefined ? KIND_GONE : node.kind === 'file' ? KIND_FILE : KIND_FOLDER,
      ),
      sizes: Float64Array.from(found, (node) => node?.data.length ?? 0),
      modifiedMs: Float64Array.from(found, (node) => node?.modifiedMs ?? 0),
    }
  }

  async realPath(path: string): Promise<string> {
    this.#need(path, 'realpath')
    return path
  }

  pathOf(_folder: number, path: string): string {
    return path
  }

  async placeOf(_folder: number, path: string): Promise<string> {
    return path
  }

  async space(): Promise<{ readonly freeBytes: number; readonly totalBytes: number }> {
    return { freeBytes: 2 ** 40, totalBytes: 2 ** 41 }
  }

  #checkSameDevice(node: Node, to: string, syscall: string): void {
    if (this.#parent(to).folder.device !== node.device) throw systemError('EXDEV', syscall)
  }

  #newNode(kind: Node['kind'], device: number): Node {
    return {
      inode: this.#nextInode++,
      device,
      kind,
      links: 1,
      modifiedMs: 1_800_000_000_000,
      data: new Uint8Array(),
      durableData: new Uint8Array(),
      names: new Map(),
      durableNames: new Map(),
    }
  }

  #create(path: string, kind: Node['kind']): Node {
    const mount = this.#mounts.indexOf(path)
    const node = this.#newNode(kind, mount < 0 ? this.#parent(path).folder.device : mount + 2)
    this.#setName(path, node)
    return node
  }

  #setName(path: string, node: Node): void {
    const { folder, name } = this.#parent(path)
    this.#change({ folders: [folder], apply: (namesOf) => namesOf(folder).set(name, node) })
  }

  #removeName(path: string, node: Node): void {
    const { folder, name } = this.#parent(path)
    node.links--
    this.#change({
      folders: [folder],
      apply(namesOf) {
        if (namesOf(folder).get(name) === node) namesOf(folder).delete(name)
      },
    })
  }

  #change(change: NameChange): void {
    change.apply((folder) => folder.names)
    this.#pending.push(change)
  }

  #parent(path: string): { readonly folder: Node; readonly name: string } {
    const cut = path.lastIndexOf('/')
    return { folder: this.#need(path.slice(0, cut), 'open'), name: path.slice(cut + 1) }
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#root
    for (const name of path.split('/').filter((part) => part !== '')) {
      if (node?.kind === 'file') throw systemError('ENOTDIR', 'open')
      node = node?.names.get(name)
    }
    return node
  }

  #need(path: string, syscall: string): Node {
    const node = this.#find(path)
    if (node === undefined) throw systemError('ENOENT', syscall)
    return node
  }

  #opened(file: number): Node {
    const node = this.#open.get(file)
    if (node === undefined) throw systemError('EBADF', 'fstat')
    return node
  }
}

/** An error as node:fs makes it. */
export function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall })
}

function statOf(node: Node): DiskStat {
  return {
    kind: node.kind,
    size: node.data.length,
    modifiedMs: node.modifiedMs,
    bornMs: node.inode,
    inode: node.inode,
    device: node.device,
    links: node.links,
  }
}

function resized(data: Uint8Array, size: number): Uint8Array {
  const grown = new Uint8Array(size)
  grown.set(data.subarray(0, size))
  return grown
}

/** Each block is as it was flushed or as it was written last; the size likewise. */
function mixedBlocks(node: Node, survives: () => boolean): Uint8Array {
  const mixed = resized(node.durableData, survives() ? node.data.length : node.durableData.length)
  for (let at = 0; at < Math.min(mixed.length, node.data.length); at += BLOCK) {
    if (survives()) mixed.set(node.data.subarray(at, Math.min(at + BLOCK, mixed.length)), at)
  }
  return mixed
}

function randomBit(random: Random): boolean {
  return ((random.fill(new Uint8Array(1))[0] ?? 0) & 1) === 1
}
