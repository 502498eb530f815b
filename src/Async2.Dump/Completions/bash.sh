# dotnet-async2 completes commands, options and values in bash.
#   eval "$(dotnet-async2 completion bash)"                                  in ~/.bashrc, or once:
#   dotnet-async2 completion bash > ~/.local/share/bash-completion/completions/dotnet-async2
_dotnet_async2() {
  local text=${COMP_LINE:0:COMP_POINT} word=${COMP_WORDS[COMP_CWORD]} prefix='' line
  # The program may be typed with a path.
  text="dotnet-async2${text#*"${COMP_WORDS[0]}"}"
  # bash takes : and = for the ends of words: what stands before them is typed already.
  local typed=${text##*[[:space:]]}
  [[ $typed == *[:=]* && $COMP_WORDBREAKS == *:* ]] && prefix=${typed%"${typed##*[:=]}"}
  [[ $word == [:=] ]] && word=''
  COMPREPLY=()
  while IFS= read -r line; do
    line=${line%$'\r'}
    [[ -n $line && $line == "$prefix"* && ${line#"$prefix"} == "$word"* ]] && COMPREPLY+=("${line#"$prefix"}")
  done < <("$1" "[suggest:${#text}]" "$text" 2> /dev/null)
}
# Where nothing fits, names of files: dumps and snapshots.
complete -o default -F _dotnet_async2 dotnet-async2
