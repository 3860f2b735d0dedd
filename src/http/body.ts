/** Reads the JSON body of a request. The host may have parsed it already. */
import express, { type Request, type Response } from 'express';
import { isUtf8 } from 'node:buffer';
import { PredictionMarketError, validationError } from '../domain/errors';

/**
 * A larger body is refused with 413 (docs/specification.md "Validation"). The bytes are counted after
 * decompression.
 */
export const BODY_LIMIT_BYTES = 100_000;

/**
 * A mark that some clients put before a text. Express's parser removes this mark, and our parser does the same.
 */
const BYTE_ORDER_MARK = '\ufeff';
const MALFORMED_TYPE = 'entity.encoding.malformed';

const parseJson = express.json({
  limit: BODY_LIMIT_BYTES,
  // Values that are not objects are let through here, because the schemas refuse them.
  strict: false,
  // All content types are let through here, because `requireJson` has checked the content type.
  type: () => true,
  verify: (_request, _response, bytes) => {
    // Invalid bytes are refused, because the decoder would replace them without an error.
    if (!isUtf8(bytes)) throw Object.assign(new Error('not UTF-8'), { type: MALFORMED_TYPE });
  },
});

/**
 * Returns the parsed body, or `{}` for a request without a body. Rejects with VALIDATION_ERROR (for a body that
 * is not JSON or not UTF-8), PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE.
 */
export async function readBody(request: Request, response: Response): Promise<unknown> {
  if (!hasBody(request)) return isEmpty(request.body) ? {} : fromHost(request.body);
  requireJson(request.headers['content-type']);
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw tooLarge();
  if (wasParsedByHost(request)) return fromHost(request.body);
  const arrived = takeArrived(request);
  if (arrived !== null) return parseBytes(arrived);
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: unknown) =>
      isPresent(error) ? reject(bodyError(error)) : resolve(),
    );
  });
  return request.body === undefined ? {} : request.body;
}

function hasBody(request: Request): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) !== 0);
}

/**
 * Whether the host's parser has read the body. The parsers of Express 4 set `request.body` to `{}` even if they
 * did not read the body. So a body counts as parsed only if its stream was read.
 */
function wasParsedByHost(request: Request): boolean {
  return isPresent(request.body) && (request.readableDidRead !== false || request.readableEnded);
}

/**
 * The bytes of an uncompressed body that has arrived whole. Reading them here is faster than the parser. `null` when
 * the parser has to wait or to decompress, or when the host reads the stream too.
 */
function takeArrived(request: Request): Buffer | null {
  if (!request.complete || request.headers['content-encoding'] !== undefined) return null;
  if (request.readableDidRead || request.readableFlowing !== null || request.readableEncoding !== null)
    return null;
  const bytes: unknown = request.read();
  return Buffer.isBuffer(bytes) ? bytes : null;
}

function fromHost(body: unknown): unknown {
  if (Buffer.isBuffer(body)) return parseBytes(body);
  return typeof body === 'string' ? parseText(body, Buffer.byteLength(body)) : body;
}

function parseBytes(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed();
  const text = bytes.toString('utf8');
  return parseText(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, bytes.length);
}

function parseText(text: string, bytes: number): unknown {
  if (bytes > BODY_LIMIT_BYTES) throw tooLarge();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw malformed();
  }
}

/** Whether the value is what a parser leaves for an empty body. */
function isEmpty(body: unknown): boolean {
  return !isPresent(body) || body === '' || (Buffer.isBuffer(body) && body.length === 0);
}

/**
 * Accepts the content types `application/json` and `application/…+json`. If a charset is named, it must be
 * UTF-8.
 */
function requireJson(contentType: string | undefined): void {
  if (contentType === 'application/json') return;
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  if (!/^application\/(json|[\w.!#$&^-]+\+json)$/.test(type.trim())) {
    throw unsupported('The body must be sent with Content-Type: application/json');
  }
  const charset = parameters
    .map((part) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(part)?.[1])
    .find(isPresent);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw unsupported('The body must be encoded in UTF-8');
  }
}

/** Translates an error of Express's parser. Express documents the `type` and `status` of these errors. */
function bodyError(error: unknown): unknown {
  if (!(error instanceof Error) || !('status' in error)) return error;
  const type = 'type' in error ? error.type : undefined;
  if (type === MALFORMED_TYPE) return malformed();
  if (error.status === 413) return tooLarge();
  if (error.status === 415)
    return unsupported('The content encoding or charset of the body is not supported');
  if (type === 'request.aborted') return malformed();
  return typeof error.status === 'number' && error.status < 500 ? malformed() : error;
}

function malformed(): PredictionMarketError {
  return validationError([{ field: 'body', message: 'The body is not valid JSON in UTF-8' }]);
}

function tooLarge(): PredictionMarketError {
  return new PredictionMarketError('PAYLOAD_TOO_LARGE', 'The body is larger than 100 kB');
}

function unsupported(message: string): PredictionMarketError {
  return new PredictionMarketError('UNSUPPORTED_MEDIA_TYPE', message);
}

function isPresent<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}
