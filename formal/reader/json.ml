(* JSON as docs/certificates.md has it: no fractions, no long numbers, each key once. *)

type t = Null | Bool of bool | Int of int | Text of string | List of t list | Object of (string * t) list

exception Malformed of string

let max_digits = 15 (* of a number, the sign included *)
let max_depth = 100 (* of lists and objects *)

(* The letters behind a backslash, and what they stand for. *)
let escapes = [ ('"', '"'); ('\\', '\\'); ('b', '\b'); ('f', '\012'); ('n', '\n'); ('r', '\r'); ('t', '\t') ]

(* Texts are kept in UTF-8. Lone surrogates, which escapes may stand for, are encoded like any other code point. *)
let add_code_point out code =
  let put byte = Buffer.add_char out (Char.chr byte) in
  let more shift = put (0x80 lor (code lsr shift land 0x3f)) in
  if code < 0x80 then put code
  else if code < 0x800 then (put (0xc0 lor (code lsr 6)); more 0)
  else if code < 0x10000 then (put (0xe0 lor (code lsr 12)); more 6; more 0)
  else (put (0xf0 lor (code lsr 18)); more 12; more 6; more 0)

(* The code point at a place, and its length in bytes. *)
let code_point text place =
  let byte i = if place + i < String.length text then Char.code text.[place + i] else 0 in
  let tail i = if byte i land 0xc0 = 0x80 then byte i land 0x3f else raise (Malformed "no UTF-8 text") in
  let first = byte 0 in
  if first < 0x80 then (first, 1)
  else if first < 0xc2 || first > 0xf4 then raise (Malformed "no UTF-8 text")
  else if first < 0xe0 then ((first land 0x1f) lsl 6 lor tail 1, 2)
  else if first < 0xf0 then ((first land 0x0f) lsl 12 lor (tail 1 lsl 6) lor tail 2, 3)
  else ((first land 0x07) lsl 18 lor (tail 1 lsl 12) lor (tail 2 lsl 6) lor tail 3, 4)

let check_utf_8 text =
  let rec from place =
    if place < String.length text then begin
      let code, size = code_point text place in
      let least = match size with 1 -> 0 | 2 -> 0x80 | 3 -> 0x800 | _ -> 0x10000 in
      if code < least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) then raise (Malformed "no UTF-8 text");
      from (place + size)
    end
  in
  from 0

let parse text =
  check_utf_8 text;
  let place = ref 0 in
  let wrong what = raise (Malformed (Printf.sprintf "%s at byte %d" what !place)) in
  let here () = if !place < String.length text then text.[!place] else '\000' in
  let next () = incr place in
  let expect c = if here () = c then next () else wrong (Printf.sprintf "expected %C" c) in
  let rec blank () = match here () with ' ' | '\t' | '\n' | '\r' -> next (); blank () | _ -> () in
  let word w value =
    let size = String.length w in
    if !place + size <= String.length text && String.sub text !place size = w then (place := !place + size; value)
    else wrong "expected a value"
  in
  let number () =
    let start = !place in
    let rec digits () = match here () with '0' .. '9' -> next (); digits () | _ -> () in
    if here () = '-' then next ();
    (match here () with '0' -> next () | '1' .. '9' -> digits () | _ -> wrong "expected a value");
    (match here () with '.' | 'e' | 'E' -> wrong "a number that is not whole" | _ -> ());
    if !place - start > max_digits then wrong "a number that is too long";
    Int (int_of_string (String.sub text start (!place - start)))
  in
  let four_digits () =
    let digit c = match c with
      | '0' .. '9' -> Char.code c - 48
      | 'a' .. 'f' -> Char.code c - 87
      | 'A' .. 'F' -> Char.code c - 55
      | _ -> wrong "expected four hexadecimal digits"
    in
    let rec from left value = if left = 0 then value else (let d = digit (here ()) in next (); from (left - 1) ((16 * value) + d)) in
    from 4 0
  in
  let text_value () =
    let out = Buffer.create 16 in
    expect '"';
    let rec from () =
      if !place >= String.length text then wrong "a text without an end";
      match here () with
      | '"' -> next ()
      | '\\' -> next (); escape (); from ()
      | c when c < ' ' -> wrong "a control character"
      | c -> Buffer.add_char out c; next (); from ()
    and escape () =
      let c = here () in
      next ();
      match c with
      | 'u' -> surrogate (four_digits ())
      | '/' -> Buffer.add_char out c
      | _ when List.mem_assoc c escapes -> Buffer.add_char out (List.assoc c escapes)
      | _ -> wrong "an unknown escape"
    and surrogate code =
      let pair = !place + 1 < String.length text && here () = '\\' && text.[!place + 1] = 'u' in
      if code >= 0xd800 && code < 0xdc00 && pair then begin
        let back = !place in
        place := !place + 2;
        let low = four_digits () in
        if low >= 0xdc00 && low < 0xe000 then add_code_point out (0x10000 + ((code - 0xd800) lsl 10) + low - 0xdc00)
        else (place := back; add_code_point out code)
      end
      else add_code_point out code
    in
    from ();
    Buffer.contents out
  in
  let rec value depth =
    if depth > max_depth then wrong (Printf.sprintf "nested more than %d deep" max_depth);
    match here () with
    | '{' -> next (); Object (members depth)
    | '[' -> next (); List (elements depth)
    | '"' -> Text (text_value ())
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | 'n' -> word "null" Null
    | _ -> number ()
  (* The items of a list or an object up to its end, each read by [item]. *)
  and items : 'a. char -> (unit -> 'a) -> 'a list = fun last item ->
    blank ();
    if here () = last then (next (); [])
    else
      let rec from found =
        blank ();
        let found = item () :: found in
        blank ();
        if here () = ',' then (next (); from found) else (expect last; List.rev found)
      in
      from []
  and elements depth = items ']' (fun () -> inner depth)
  and members depth =
    let known = Hashtbl.create 16 in
    items '}' (fun () ->
        let key = text_value () in
        if Hashtbl.mem known key then wrong "a key that stands twice in an object";
        Hashtbl.add known key ();
        blank ();
        expect ':';
        blank ();
        (key, inner depth))
  and inner depth = match here () with '{' | '[' -> value (depth + 1) | _ -> value depth in
  blank ();
  let result = value 1 in
  blank ();
  if !place < String.length text then wrong "more than one value";
  result

(* A text in quotes and in ASCII, whatever it holds. *)
let quoted text =
  let out = Buffer.create (String.length text + 2) in
  let unit_of code = Buffer.add_string out (Printf.sprintf "\\u%04x" code) in
  let rec from place =
    if place < String.length text then begin
      let code, size = code_point text place in
      (match List.find_opt (fun (_, char) -> Char.code char = code) escapes with
      | Some (letter, _) -> Buffer.add_string out (Printf.sprintf "\\%c" letter)
      | None when code >= 0x20 && code <= 0x7f -> Buffer.add_char out (Char.chr code)
      | None when code < 0x10000 -> unit_of code
      | None -> unit_of (0xd800 + ((code - 0x10000) lsr 10)); unit_of (0xdc00 + ((code - 0x10000) land 0x3ff)));
      from (place + size)
    end
  in
  Buffer.add_char out '"';
  from 0;
  Buffer.add_char out '"';
  Buffer.contents out
