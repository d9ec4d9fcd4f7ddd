// What values of options must be: each function says what is wrong with a text, in words for the
// user, or nothing.
#pragma once

#include <string>

namespace fathom {

std::string number_fault(const std::string& text);  // at least 0
std::string whole_number_fault(const std::string& text);
std::string positive_fault(const std::string& text);  // more than 0
std::string macro_fault(const std::string& text);     // NAME, or NAME=TERM
std::string term_fault(const std::string& text);
std::string otp_fault(const std::string& directory);
std::string picture_fault(const std::string& file);  // FILE.dot, FILE.svg
std::string svg_fault(const std::string& file);

}  // namespace fathom
