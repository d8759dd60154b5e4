import { describe, expect, it } from 'vitest'
import { detectEncoding } from './encodings.ts'

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values)
const hex = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

describe('the encoding of a text', () => {
  it.each([
    ['utf-8', new TextEncoder().encode('plain')],
    ['utf-8', new TextEncoder().encode('传输文件, émigré, かな')],
    ['utf-8', bytes(0xef, 0xbb, 0xbf, 0x61)],
    ['utf-16le', bytes(0xff, 0xfe, 0x2d, 0x4e)],
    ['utf-16be', bytes(0xfe, 0xff, 0x4e, 0x2d)],
    ['utf-16le', Uint8Array.from([...'two lines\r\n'].flatMap((char) => [char.charCodeAt(0), 0]))],
    // 你好，世界。文件传输平台 in GBK
    ['gb18030', hex('c4e3bac3a3accac0bde7a1a3cec4bcfeb4abcae4c6bdcca8')],
    // 日志 2026: 上传完成 in GBK
    ['gb18030', hex('c8d5d6be20323032363a20c9cfb4abcdeab3c90a')],
    // 你好，世界。檔案傳輸平台 in Big5
    ['big5', hex('a741a66ea141a540acc9a143c0c9aed7b6c7bfe9a5ada578')],
    // これはテストです in Shift_JIS
    ['shift_jis', hex('82b182ea82cd83658358836782c582b7')],
    // 안녕하세요 세계 in EUC-KR
    ['euc-kr', hex('bec8b3e7c7cfbcbcbfe420bcbcb0e8')],
    // café déjà vu in Windows-1252
    ['windows-1252', hex('636166e92064e96ae0207675')],
    ['windows-1252', hex('6d616ef16e610a')],
  ])('%s', (encoding, head) => expect(detectEncoding(head)).toBe(encoding))

  it('is UTF-8 although the last character is cut off', () => {
    expect(detectEncoding(new TextEncoder().encode('文件').subarray(0, 5))).toBe('utf-8')
  })
})
